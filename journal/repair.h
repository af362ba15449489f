// Carries out what the recovery table decides, so that a writer can go on. FORMAT.md, section 7.
//
// Only what nobody was promised is ever cut off, and what is cut off is kept beside the segment, in
// segment-NNNNNN.torn.N. A crash in the middle of a repair leaves a journal that needs the same
// one.

#ifndef JOURNAL_REPAIR_H_
#define JOURNAL_REPAIR_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "journal/journal_state.h"
#include "journal/storage/storage.h"

namespace journal {

// The open file of a segment that may be appended to, and how much of it was set aside.
struct RepairedTail {
  std::unique_ptr<File> file;
  uint64_t bytes_set_aside = 0;
};

// Makes the segment end, durably, where its valid prefix ends.
// REQUIRES: segment.is_readable(), and its case is not DAMAGED.
absl::StatusOr<RepairedTail> CutTail(Directory& directory, const SegmentState& segment);

// Writes the segment's file anew, durably, and gives the new file its name: what is read of it is
// then on the disk. Bytes and verdict stay as they are. After an error the journal is as before.
absl::Status WriteAnew(Directory& directory, const SegmentState& segment);

// Takes a file that never became a segment out of the way; its length.
absl::StatusOr<uint64_t> SetSegmentAside(Directory& directory, const SegmentState& segment);

}  // namespace journal

#endif  // JOURNAL_REPAIR_H_
