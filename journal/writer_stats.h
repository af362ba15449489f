// What a writer has done.

#ifndef JOURNAL_WRITER_STATS_H_
#define JOURNAL_WRITER_STATS_H_

#include <cstdint>

namespace journal {

// Counted since the writer was made.
struct WriterStats {
  uint64_t records = 0;
  uint64_t blocks = 0;  // Data blocks.
  uint64_t blocks_compressed = 0;
  uint64_t segments = 0;      // Begun.
  uint64_t raw_bytes = 0;     // Bodies before compression.
  uint64_t stored_bytes = 0;  // Everything written to segments, padding included, reserve not.
  uint64_t attachment_bytes = 0;
  uint64_t segments_compacted = 0;
  uint64_t bytes_compacted = 0;  // That compaction has saved.
  uint64_t syncs = 0;            // For the sake of records; segments begun and sealed sync besides.
};

}  // namespace journal

#endif  // JOURNAL_WRITER_STATS_H_
