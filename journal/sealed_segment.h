// The properties of a sealed segment on which the rest of the log depends; compaction keeps them.

#ifndef JOURNAL_SEALED_SEGMENT_H_
#define JOURNAL_SEALED_SEGMENT_H_

#include <cstdint>
#include <vector>

#include "engine/base/digest.h"
#include "journal/format/format.h"
#include "journal/format/segment_index.h"
#include "journal/segment_scan.h"

namespace journal {

// The digest of a log, and of its complete runs, as in a segment's preamble and index.
struct LogDigests {
  engine::Digest log;
  engine::Digest chain;
};

// A regular value type.
struct SealedSegment {
  uint64_t segment_index = 0;
  uint64_t file_bytes = 0;
  LogPosition end;  // After its SEAL block; the next segment's preamble agrees with it.
  LogDigests digests;
};

// Whether compaction may halve a segment of `file_bytes`: at least half of it is blocks of one
// page, which are nearly empty or not compressed.
inline bool IsSparse(const std::vector<BlockEntry>& blocks, uint64_t file_bytes) {
  uint64_t bytes = 0;
  for (const BlockEntry& block : blocks) {
    if (block.stored_bytes == kAlignment) bytes += block.stored_bytes;
  }
  return 2 * bytes >= file_bytes;
}

}  // namespace journal

#endif  // JOURNAL_SEALED_SEGMENT_H_
