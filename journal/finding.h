// One thing that is not as it should be in a journal, and where.

#ifndef JOURNAL_FINDING_H_
#define JOURNAL_FINDING_H_

#include <cstdint>
#include <string>

#include "engine/base/sequence_number.h"
#include "journal/verdict.h"

namespace journal {

// A regular value type.
struct Finding {
  // What it makes of the journal by itself. kClean: a warning; no record is touched (one of two
  // preambles, an index that was rebuilt, padding that is not zero).
  Verdict verdict = Verdict::kDamaged;
  uint64_t segment_index = 0;
  uint64_t byte_begin = 0;  // In the segment's file.
  uint64_t byte_end = 0;
  // The records it takes away; first 0: none, or unknown. last 0: unknown, "and all that followed".
  engine::SequenceNumber first_sequence = {};
  engine::SequenceNumber last_sequence = {};
  // The log proves that this was durable, so someone may have been told.
  bool may_have_been_acknowledged = false;
  std::string message = {};  // What was found, what was expected.

  // "segment 000001 [0x3000..0x4000): sequences 5..8: …"
  std::string ToString() const;
};

}  // namespace journal

#endif  // JOURNAL_FINDING_H_
