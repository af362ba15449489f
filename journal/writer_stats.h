// Counters of a writer.

#ifndef JOURNAL_WRITER_STATS_H_
#define JOURNAL_WRITER_STATS_H_

#include <cstdint>

namespace journal {

// Totals since the writer was created.
struct WriterStats {
  uint64_t records = 0;
  uint64_t blocks = 0;  // DATA blocks.
  uint64_t blocks_compressed = 0;
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
