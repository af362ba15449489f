#include "tools/cli/record/capture_import.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "tools/cli/base/format.h"

namespace tools {

using engine::kalshi::CaptureCounters;
using engine::kalshi::CaptureGap;
using engine::kalshi::CaptureReader;

absl::StatusOr<bool> CaptureImport::Take(engine::Bytes chunk) {
  lines_.Add(chunk);
  while (const auto line = lines_.Next()) {
    RETURN_IF_ERROR(TakeLine(*line));
    if (!input_status_.ok()) return false;
  }
  if (lines_.is_too_long()) {
    input_status_ = absl::InvalidArgumentError(absl::StrCat(
        lines_.number() + 1, ": a line of more than ", CaptureReader::kLineBytesMax, " bytes"));
    return false;
  }
  if (!chunk.empty()) return true;
  RETURN_IF_ERROR(TranslateUntimed());
  return false;
}

absl::Status CaptureImport::TakeLine(absl::string_view line) {
  if (absl::StripAsciiWhitespace(line).empty()) return absl::OkStatus();
  if (has_time_) return Translate(line, lines_.number());
  const auto frame = reader_.Read(line);
  has_time_ = !frame.ok() || frame->time.has_value() || untimed_.size() == kUntimedMax;
  untimed_.emplace_back(lines_.number(), line);
  return has_time_ ? TranslateUntimed() : absl::OkStatus();
}

// The last of these frames is the one with the first time.
absl::Status CaptureImport::TranslateUntimed() {
  has_time_ = true;
  if (untimed_.empty()) return absl::OkStatus();
  if (const auto last = reader_.Read(untimed_.back().second); last.ok() && last->time.has_value()) {
    translator_.SetTime(*last->time);
  }
  for (const auto& [number, line] : untimed_) {
    RETURN_IF_ERROR(Translate(line, number));
    if (!input_status_.ok()) break;
  }
  untimed_.clear();
  return absl::OkStatus();
}

absl::Status CaptureImport::Translate(absl::string_view line, uint64_t number) {
  const auto frame = reader_.Read(line);
  if (frame.ok()) return translator_.Take(*frame, number);
  input_status_ = absl::InvalidArgumentError(absl::StrCat(number, ": ", frame.status().message()));
  return absl::OkStatus();
}

void AddCaptureRows(Report& report, const CaptureCounters& counters) {
  std::string types;
  for (const auto& [type, count] : counters.types) {
    absl::StrAppend(&types, types.empty() ? "" : ", ", type, " ", WithCommas(count));
  }
  if (counters.other_types > 0) {
    absl::StrAppend(&types, ", of other types ", WithCommas(counters.other_types));
  }
  report.Row("frames", WithCommas(counters.frames), types.empty() ? "" : " (", types,
             types.empty() ? "" : ")");
  report.Row("gaps", WithCommas(counters.gaps));
  for (const CaptureGap& gap : counters.first_gaps) {
    report.Row("  gap", "line ", gap.line, ": seq ", gap.found, " on sid ", gap.sid, ", expected ",
               gap.expected, "; its books are not known until their next snapshots");
  }
  for (const auto& [name, count] :
       {std::pair("connections that began again", counters.restarts),
        std::pair("deltas of books that are not known", counters.stale_deltas),
        std::pair("deltas to less than nothing", counters.impossible_deltas),
        std::pair("frames of tickers that cannot be symbols", counters.refused_frames)}) {
    if (count > 0) report.Row("oddity", WithCommas(count), " ", name);
  }
}

void AddCaptureFields(JsonObject& json, const CaptureCounters& counters) {
  json.BeginObject("capture");
  json.Field("frames", counters.frames);
  json.Named("types", counters.types);
  json.Field("frames_of_other_types", counters.other_types);
  json.Field("commands", counters.commands);
  json.Field("gaps", counters.gaps);
  json.Objects("first_gaps", counters.first_gaps, [&](const CaptureGap& gap) {
    json.Field("line", gap.line);
    json.Field("sid", gap.sid);
    json.Field("expected_seq", gap.expected);
    json.Field("seq", gap.found);
  });
  json.Field("restarts", counters.restarts);
  json.Field("stale_deltas", counters.stale_deltas);
  json.Field("impossible_deltas", counters.impossible_deltas);
  json.Field("refused_frames", counters.refused_frames);
  json.EndObject();
}

}  // namespace tools
