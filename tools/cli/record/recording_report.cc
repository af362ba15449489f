#include "tools/cli/record/recording_report.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "engine/wire/itch/message_type.h"
#include "replay/exchange_state.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/report.h"

namespace tools {
namespace {

double BytesPerCommand(const journal::WriterStats& stats) {
  return stats.records == 0
             ? 0
             : static_cast<double>(stats.stored_bytes) / static_cast<double>(stats.records);
}

// " (A 4,758, D 4,083)": counts by type letter, without zeros.
std::string PerType(const engine::ItchCounters::PerType& counts) {
  std::string text;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    absl::StrAppend(&text, text.empty() ? "" : ", ",
                    absl::string_view(&engine::kItchTypes[i].letter, 1), " ",
                    WithCommas(counts[i]));
  }
  return text.empty() ? "" : absl::StrCat(" (", text, ")");
}

std::string Rate(uint64_t count, double seconds) {
  return absl::StrCat(HumanCount(static_cast<double>(count) / seconds), "/s");
}

}  // namespace

void AddRecording(Report& report, const Recording& recording, const journal::Checkpoint& last,
                  double seconds) {
  const journal::WriterStats& stats = recording.writer().stats();
  report.Row("commands", WithCommas(stats.records), " recorded and matched in ",
             HumanSeconds(seconds), ", ", Rate(stats.records, seconds));
  report.Field("commands", stats.records);
  report.Field("last_sequence", last.sequence);
  report.Fact("events", "events", recording.driver().output_count());
  report.Fact("live orders", "live_orders",
              replay::ExchangeOf(recording.machine()).live_order_count());
  report.Row("journal", absl::StrFormat("%s, %.1f bytes per command, %u segment%s",
                                        HumanBytes(stats.stored_bytes), BytesPerCommand(stats),
                                        stats.segments, stats.segments == 1 ? "" : "s"));
  if (stats.segments_compacted > 0) {
    report.Row("compacted", stats.segments_compacted, " of them, ",
               HumanBytes(stats.bytes_compacted), " less");
  }
  report.Field("seconds", seconds);
  report.Field("journal_bytes", stats.stored_bytes);
  report.Field("bytes_per_command", BytesPerCommand(stats));
  report.Field("segments", stats.segments);
  report.Fact("log digest", "log_digest", last.log);
  report.Fact("trace digest", "trace_digest", last.trace);
  report.Fact("state digest", "state_digest", recording.machine().StateDigest());
}

void AddItchRows(Report& report, const engine::ItchCounters& counters) {
  report.Row("messages", WithCommas(counters.TotalMessages()), PerType(counters.messages));
  report.Row("unknown orders", WithCommas(counters.TotalUnknownReferences()),
             PerType(counters.unknown_references),
             counters.TotalUnknownReferences() == 0 ? "" : " from before the recording");
  // Further counters are unusual, so only those that are not zero are printed; JSON has all.
  for (const auto& [name, count] :
       {std::pair("stocks without a directory message", counters.markets_defined_by_orders),
        std::pair("repeated directory messages", counters.markets_repeated),
        std::pair("refused stocks", counters.markets_refused),
        std::pair("orders for refused stocks", counters.orders_without_market),
        std::pair("orders under a reference that is live", counters.references_repeated),
        std::pair("executions and cancels of more than was left", counters.quantities_exceeded)}) {
    if (count > 0) report.Row("oddity", WithCommas(count), " ", name);
  }
}

void AddItchFields(JsonObject& json, const engine::ItchCounters& counters) {
  json.BeginObject("itch");
  for (const auto& [name, count] : counters.Rows()) json.Field(name, count);
  json.EndObject();
}

void AddExecutionRows(Report& report, const engine::ItchExecutionCheck& check) {
  const bool good = check.mismatched() == 0;
  report.Row("executions",
             Styled(Style::kGreen, absl::StrCat(WithCommas(check.matched()), " matched")), ", ",
             Styled(good ? Style::kPlain : Style::kRed,
                    absl::StrCat(WithCommas(check.mismatched()), " mismatched")),
             ", ", WithCommas(check.not_applicable()), " not applicable");
  if (check.orders_unexpectedly_traded() > 0) {
    report.Row("traded early", WithCommas(check.orders_unexpectedly_traded()),
               " orders traded on arrival that rested at Nasdaq");
  }
  for (const auto& mismatch : check.mismatches()) {
    report.Row("  mismatch", "@", mismatch.sequence.value(), " match ",
               mismatch.expected.match_number, ": expected ", mismatch.expected.quantity.units(),
               " of order ", mismatch.expected.maker.value(), " (reference ",
               mismatch.expected.order_reference, "), got ", mismatch.what_happened);
  }
}

void AddExecutionFields(JsonObject& json, const engine::ItchExecutionCheck& check) {
  json.BeginObject("executions");
  json.Field("matched", check.matched());
  json.Field("mismatched", check.mismatched());
  json.Field("not_applicable", check.not_applicable());
  json.Field("traded_early", check.orders_unexpectedly_traded());
  json.EndObject();
}

}  // namespace tools
