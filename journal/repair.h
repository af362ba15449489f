// Carries out the decision of the recovery table before a writer appends. FORMAT.md, section 7.
//
// Truncates only bytes that no watermark covers, and keeps a copy of them beside the segment, in
// segment-NNNNNN.torn.N. After a crash in the middle of a repair the same repair is needed again.

#ifndef JOURNAL_REPAIR_H_
#define JOURNAL_REPAIR_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "journal/journal_state.h"
#include "journal/storage/storage.h"

namespace journal {

// The open file of a segment that can be appended to, and the bytes of it that were set aside.
struct RepairedTail {
  std::unique_ptr<File> file;
  uint64_t bytes_set_aside = 0;
};

// Truncates the segment, durably, at the end of its valid prefix; sets the tail aside first, unless
// it is zeros. Also rewrites a damaged copy of the preamble from the good one.
// REQUIRES: segment.is_readable(), and its case is not DAMAGED.
absl::StatusOr<RepairedTail> CutTail(Directory& directory, const SegmentState& segment);

// Copies the segment to a new file, durably, and renames that over the segment, so that all bytes
// that are read of it are on the disk. Bytes and verdict stay the same. If the copy fails, the
// journal is unchanged.
absl::Status WriteAnew(Directory& directory, const SegmentState& segment);

// Renames a file that never became a segment to segment-NNNNNN.torn.N; removes it if it is empty.
// Returns its length.
absl::StatusOr<uint64_t> SetSegmentAside(Directory& directory, const SegmentState& segment);

}  // namespace journal

#endif  // JOURNAL_REPAIR_H_
