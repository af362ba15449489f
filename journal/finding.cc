#include "journal/finding.h"

#include <array>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace journal {

absl::string_view ToString(Verdict verdict) {
  constexpr std::array<absl::string_view, 3> kNames = {"CLEAN", "TORN", "DAMAGED"};
  return kNames[static_cast<size_t>(verdict)];
}

std::string Finding::Acknowledgement() const {
  if (!may_have_been_acknowledged) {
    return first_sequence.value() == 0 ? "" : "never acknowledged";
  }
  if (first_sequence.value() == 0 || last_sequence.value() == 0 || last_durable < first_sequence ||
      last_durable >= last_sequence) {
    return "may have been acknowledged";
  }

  return absl::StrFormat("%d..%d may have been acknowledged, %d..%d were not known to be durable",
                         first_sequence.value(), last_durable.value(), last_durable.value() + 1,
                         last_sequence.value());
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
  const std::string acknowledgement = may_have_been_acknowledged ? Acknowledgement() : "";
  return absl::StrFormat("segment %06d [0x%x..0x%x): %s%s%s%s", segment_index, byte_begin, byte_end,
                         records, message, times,
                         acknowledgement.empty() ? "" : absl::StrCat(" (", acknowledgement, ")"));
}

}  // namespace journal
