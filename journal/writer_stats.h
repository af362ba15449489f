// Counters of a writer.

#ifndef JOURNAL_WRITER_STATS_H_
#define JOURNAL_WRITER_STATS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/sequence_number.h"

namespace journal {

// A regular value type.
struct RecoverySummary {
  bool torn = false;             // The journal was TORN; its tail was cut off.
  uint64_t bytes_set_aside = 0;  // Bytes of the tail kept in a .torn file.
  engine::SequenceNumber last_sequence;
  std::vector<std::string> sidecar_notes;  // For people: checkpoints after last_sequence, cut off.
};

// Totals since the writer was created.
struct WriterStats {
  uint64_t records = 0;
  uint64_t blocks = 0;        // DATA blocks.
  uint64_t segments = 0;      // Begun.
  uint64_t raw_bytes = 0;     // Bodies before compression.
  uint64_t stored_bytes = 0;  // Written to segments, padding included, the reserve's zeros not.
  uint64_t attachment_bytes = 0;
  uint64_t segments_compacted = 0;
  uint64_t bytes_compacted = 0;  // Bytes that compaction has saved.
  uint64_t syncs = 0;            // Without the syncs that begin and seal segments.
};

}  // namespace journal

#endif  // JOURNAL_WRITER_STATS_H_
