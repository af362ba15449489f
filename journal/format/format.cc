#include "journal/format/format.h"

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "engine/base/integer_text.h"

namespace journal {

std::string SegmentFileName(uint64_t segment_index) {
  return absl::StrFormat("segment-%06d.tape", segment_index);
}

std::optional<uint64_t> ParseSegmentFileName(absl::string_view name) {
  uint64_t segment_index = 0;
  absl::string_view digits = name;
  if (!absl::ConsumePrefix(&digits, "segment-") || !absl::ConsumeSuffix(&digits, ".tape") ||
      !engine::ParseInteger(digits, segment_index) || SegmentFileName(segment_index) != name) {
    return std::nullopt;
  }
  return segment_index;
}

}  // namespace journal
