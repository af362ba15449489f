// A fault found in a journal, and its place.

#ifndef JOURNAL_FINDING_H_
#define JOURNAL_FINDING_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"

namespace journal {

enum class Verdict {
  kClean,    // All written data is present.
  kTorn,     // Only data not known to be durable is missing: the tail may be cut off.
  kDamaged,  // Data known to be durable is missing: refuse, change nothing, report the loss.
};

// Returns "CLEAN", "TORN" or "DAMAGED".
absl::string_view ToString(Verdict verdict);

// A regular value type.
struct Finding {
  // The verdict that this finding alone would cause. kClean: a warning that affects no record of
  // this journal (a damaged copy of a preamble, an index that was rebuilt, padding that is not
  // zero, records that were missing when it was salvaged).
  Verdict verdict = Verdict::kDamaged;
  uint64_t segment_index = 0;
  uint64_t byte_begin = 0;  // In the segment's file.
  uint64_t byte_end = 0;
  // The records lost. first 0: none, or unknown. last 0: unknown, "and all that followed".
  engine::SequenceNumber first_sequence = {};
  engine::SequenceNumber last_sequence = {};
  // The journal proves that lost data was durable, so clients may have received acknowledgements.
  bool may_have_been_acknowledged = false;
  // The last of those records that the journal itself says was durable; 0: none, or unknown.
  engine::SequenceNumber last_durable = {};
  // The times of the nearest records before and after the lost ones, where known.
  std::optional<engine::Timestamp> after_time = {};
  std::optional<engine::Timestamp> before_time = {};
  std::string message = {};  // What was found, what was expected.

  // "segment 000001 [0x3000..0x4000): sequences 5..8: …"
  std::string ToString() const;
};

}  // namespace journal

#endif  // JOURNAL_FINDING_H_
