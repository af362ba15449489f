// What a writer found and did when it went on with a journal.

#ifndef JOURNAL_RECOVERY_SUMMARY_H_
#define JOURNAL_RECOVERY_SUMMARY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/sequence_number.h"

namespace journal {

// A regular value type.
struct RecoverySummary {
  bool was_sealed = false;       // The previous writer had closed the journal.
  bool torn = false;             // A tail nobody was promised was cut off …
  uint64_t bytes_set_aside = 0;  // … and kept in a .torn file.
  uint64_t records_dropped = 0;  // As far as the tail's own headers tell.
  engine::SequenceNumber last_sequence;
  std::vector<std::string> sidecar_notes;  // What became of checkpoints behind it; for people.
};

}  // namespace journal

#endif  // JOURNAL_RECOVERY_SUMMARY_H_
