#include "journal/finding.h"

#include <array>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace journal {
namespace {

// "5..7 may have been acknowledged, 8..9 were not known to be durable".
std::string Acknowledgement(const Finding& finding) {
  const uint64_t first = finding.first_sequence.value();
  const uint64_t last = finding.last_sequence.value();
  const uint64_t durable = finding.last_durable.value();
  if (first == 0 || last == 0 || durable < first || durable >= last) {
    return "may have been acknowledged";
  }
  return absl::StrFormat("%d..%d may have been acknowledged, %d..%d were not known to be durable",
                         first, durable, durable + 1, last);
}

}  // namespace

absl::string_view ToString(Verdict verdict) {
  constexpr std::array<absl::string_view, 3> kNames = {"CLEAN", "TORN", "DAMAGED"};
  return kNames[static_cast<size_t>(verdict)];
}

std::string Finding::ToString() const {
  std::string records;
  if (first_sequence.value() != 0) {
    records =
        last_sequence.value() == 0
            ? absl::StrCat("sequences from ", first_sequence.value(), " on: ")
            : absl::StrCat("sequences ", first_sequence.value(), "..", last_sequence.value(), ": ");
  }
  std::string times;
  if (after_time.has_value()) absl::StrAppend(&times, ", after ", after_time->ToString());
  if (before_time.has_value()) absl::StrAppend(&times, ", before ", before_time->ToString());
  return absl::StrFormat(
      "segment %06d [0x%x..0x%x): %s%s%s%s", segment_index, byte_begin, byte_end, records, message,
      times, may_have_been_acknowledged ? absl::StrCat(" (", Acknowledgement(*this), ")") : "");
}

}  // namespace journal
