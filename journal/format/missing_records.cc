#include "journal/format/missing_records.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "journal/format/control_file.h"

namespace journal {
namespace {

constexpr char kTitle[] = "ticktape missing 1";

absl::StatusOr<MissingRange> ParseRange(absl::string_view text) {
  const std::pair<absl::string_view, absl::string_view> ends =
      absl::StrSplit(text, absl::MaxSplits("..", 1));
  uint64_t first = 0;
  uint64_t last = 0;
  if (engine::ParseInteger(ends.first, first) && engine::ParseInteger(ends.second, last) &&
      first > 0 && first <= last) {
    return MissingRange{.first_sequence = engine::SequenceNumber(first),
                        .last_sequence = engine::SequenceNumber(last)};
  }
  return absl::DataLossError(absl::StrCat(kMissingFileName, ": '", text, "' is not FIRST..LAST"));
}

}  // namespace

absl::StatusOr<MissingRecords> ReadMissing(const Directory& directory) {
  ASSIGN_OR_RETURN(const ControlFile file, ReadControlFile(directory, kMissingFileName, kTitle));
  MissingRecords missing;
  ASSIGN_OR_RETURN(missing.journal_uuid, file.GetUuid("journal"));
  ASSIGN_OR_RETURN(missing.range_count, file.GetNumber("count"));
  ASSIGN_OR_RETURN(const std::string ranges, file.Get("records"));
  for (const absl::string_view text : absl::StrSplit(ranges, ' ', absl::SkipEmpty())) {
    ASSIGN_OR_RETURN(const MissingRange range, ParseRange(text));
    if (!missing.ranges.empty() && range.first_sequence <= missing.ranges.back().last_sequence) {
      return absl::DataLossError(absl::StrCat(kMissingFileName, ": '", text, "' is out of order"));
    }
    missing.ranges.push_back(range);
  }
  if (missing.ranges.size() > missing.range_count || missing.ranges.size() > kMissingRangesMax) {
    return absl::DataLossError(absl::StrCat(kMissingFileName, ": it lists more than it counts"));
  }
  return missing;
}

absl::Status WriteMissing(Directory& directory, const MissingRecords& missing) {
  std::string ranges;
  for (size_t i = 0; i < missing.ranges.size() && i < kMissingRangesMax; ++i) {
    absl::StrAppend(&ranges, i == 0 ? "" : " ", missing.ranges[i].first_sequence.value(), "..",
                    missing.ranges[i].last_sequence.value());
  }
  ControlFile file(kTitle);
  file.Set("journal", missing.journal_uuid.ToString());
  file.Set("count", absl::StrCat(missing.range_count));
  file.Set("records", ranges);
  return WriteControlFile(directory, kMissingFileName, file);
}

}  // namespace journal
