#include "tools/cli/record/dbn_import.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"
#include "engine/wire/dbn/records.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/progress.h"
#include "tools/os/input.h"

namespace tools {
namespace {

// Makes every error of the reader DATA_LOSS: a malformed stream is damaged input.
absl::Status AsDamage(const absl::Status& status, const engine::DbnStreamReader& reader) {
  if (status.ok()) return status;
  return absl::DataLossError(absl::StrCat(
      status.message(),
      reader.is_zstd() ? " (of records, offsets are in the uncompressed stream)" : ""));
}

// Gives `take` the records of the chunk; an empty one ends the stream. `input` is what is wrong
// with the stream. Errors: those of `take`.
template <typename Take>
absl::Status TakeRecords(engine::DbnStreamReader& reader, engine::Bytes chunk, absl::Status& input,
                         Take take) {
  const bool is_end = chunk.empty();
  if (is_end) {
    input = reader.Finish();
  } else {
    reader.Feed(chunk);
  }
  engine::DbnMbo record;
  while (input.ok() && !is_end) {
    const absl::StatusOr<bool> more = reader.Next(record);
    input = more.status();
    if (!more.ok() || !*more) break;
    RETURN_IF_ERROR(take(record));
  }
  input = AsDamage(input, reader);
  return absl::OkStatus();
}

// Records of other types than MBO, with their names: "mbp-1", "0x7f".
std::vector<std::pair<std::string, uint64_t>> OtherTypes(const engine::DbnStreamReader& reader) {
  std::vector<std::pair<std::string, uint64_t>> types;
  for (size_t rtype = 0; rtype < reader.counts().size(); ++rtype) {
    if (rtype == engine::kDbnMboType || reader.counts()[rtype] == 0) continue;
    const absl::string_view name = engine::DbnTypeName(static_cast<uint8_t>(rtype));
    types.emplace_back(name.empty() ? absl::StrFormat("0x%02x", rtype) : std::string(name),
                       reader.counts()[rtype]);
  }
  return types;
}

// "add 4,758, cancel 4,083": without zeros.
std::string ActionsOf(const engine::DbnCounters& counters) {
  std::vector<std::string> texts;
  for (const auto& [action, name] : engine::kDbnActions) {
    const uint64_t count = counters.actions[static_cast<uint8_t>(action)];
    if (count > 0) texts.push_back(absl::StrCat(name, " ", WithCommas(count)));
  }
  return absl::StrJoin(texts, ", ");
}

}  // namespace

absl::StatusOr<engine::DbnMarkets> LearnDbnMarkets(const std::string& path, Console& console) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Input> input, Input::Open(path));
  if (path == "-" || input->size_bytes() == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(input->name(),
                     ": --from dbn reads its input twice, first for the decimals of "
                     "the prices; expected a file that is not empty"));
  }
  Progress progress(console, "read prices", "bytes", input->size_bytes());
  engine::DbnStreamReader reader;
  engine::DbnMarkets markets;
  absl::Status malformed;
  uint64_t bytes_read = 0;
  const auto learn = [&](const engine::DbnMbo& record) {
    if (!markets.has_begun()) RETURN_IF_ERROR(markets.Begin(*reader.metadata()));
    return markets.Learn(record);
  };
  while (malformed.ok()) {
    ASSIGN_OR_RETURN(const engine::Bytes chunk, input->Read());
    const absl::Status learnt = TakeRecords(reader, chunk, malformed, learn);
    if (!learnt.ok()) {
      return absl::DataLossError(absl::StrCat(input->name(), ": ", learnt.message()));
    }
    if (chunk.empty()) break;
    bytes_read += chunk.size();
    progress.Show(bytes_read);
  }
  if (reader.metadata() != nullptr) return markets;
  return absl::DataLossError(absl::StrCat(input->name(), ": ", malformed.message()));
}

absl::StatusOr<bool> DbnImport::Take(engine::Bytes chunk) {
  RETURN_IF_ERROR(TakeRecords(reader_, chunk, input_status_, [this](const engine::DbnMbo& record) {
    return translator_.Take(record);
  }));
  if (!chunk.empty() && input_status_.ok()) return true;
  RETURN_IF_ERROR(translator_.Finish());
  return false;
}

void AddDbnRows(Report& report, const DbnImport& import) {
  const engine::DbnCounters& counters = import.counters();
  const std::string actions = ActionsOf(counters);
  report.Row("records", WithCommas(counters.TotalRecords()), actions.empty() ? "" : " (", actions,
             actions.empty() ? "" : ")");
  for (const auto& [name, count] : OtherTypes(import.reader())) {
    report.Row("no orders", WithCommas(count), " records of type ", name);
  }
  for (const auto& [what, count] : counters.Oddities()) {
    report.Row("oddity", WithCommas(count), " ", what);
  }
}

void AddDbnFields(JsonObject& json, const DbnImport& import) {
  json.Named("dbn", import.counters().Rows());
  json.Named("dbn_other_records", OtherTypes(import.reader()));
}

}  // namespace tools
