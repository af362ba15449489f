// What a writer found and did when it took over a journal.

#ifndef JOURNAL_RECOVERY_SUMMARY_H_
#define JOURNAL_RECOVERY_SUMMARY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/sequence_number.h"

namespace journal {

// A regular value type.
struct RecoverySummary {
  bool was_sealed = false;       // The previous writer had sealed the last segment.
  bool torn = false;             // The journal was TORN; its tail was cut off.
  uint64_t bytes_set_aside = 0;  // Bytes of the tail kept in a .torn file.
  uint64_t records_dropped = 0;  // As far as the headers in the tail tell.
  engine::SequenceNumber last_sequence;
  std::vector<std::string> sidecar_notes;  // For people: checkpoints after last_sequence, cut off.
};

}  // namespace journal

#endif  // JOURNAL_RECOVERY_SUMMARY_H_
