#include "journal/finding.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace journal {

std::string Finding::ToString() const {
  std::string records;
  if (first_sequence.value() != 0) {
    records =
        last_sequence.value() == 0
            ? absl::StrCat("sequences from ", first_sequence.value(), " on: ")
            : absl::StrCat("sequences ", first_sequence.value(), "..", last_sequence.value(), ": ");
  }
  return absl::StrFormat("segment %06d [0x%x..0x%x): %s%s%s", segment_index, byte_begin, byte_end,
                         records, message,
                         may_have_been_acknowledged ? " (may have been acknowledged)" : "");
}

}  // namespace journal
