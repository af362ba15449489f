// Inspects a journal for a program that will change it, and carries out the decision of the
// recovery table. FORMAT.md, section 7.
//
// After a failed sync the page cache may hold pages that are on no disk: reads return them, and
// later syncs succeed without writing them. A writer that appended after such pages would
// acknowledge records after a hole. So a journal is not changed before all data that is read is
// proven to be on the disk:
//
//   sync ─► drop the page cache ─► inspect: all bytes read are on the disk
//                └─ not possible ─► inspect, then copy the last segment to a new file and sync that
//
// Only the last segment is in doubt: a segment is begun only after the one before it was synced.
//
// Truncates only bytes that no watermark covers, and keeps a copy of them beside the segment, in
// segment-NNNNNN.torn.N. After a crash in the middle of a repair the same repair is needed again.

#ifndef JOURNAL_RECOVERY_REPAIR_H_
#define JOURNAL_RECOVERY_REPAIR_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "journal/recovery/journal_state.h"
#include "journal/recovery/segment_inspection.h"
#include "journal/storage/storage.h"

namespace journal {

// Returns the state of the journal; every block in it is durable. REQUIRES: the caller holds the
// writer lock. Errors: DATA_LOSS (the journal is DAMAGED; nothing is changed), those of
// InspectJournal(), the storage's.
absl::StatusOr<JournalState> InspectForWriting(Directory& directory, InspectDepth depth);

// Truncates the segment, durably, at the end of its valid prefix; sets the tail aside first, unless
// it is zeros. Also rewrites a damaged copy of the preamble from the good one. Returns the open
// file. REQUIRES: segment.is_readable(), and its case is not DAMAGED.
absl::StatusOr<std::unique_ptr<File>> CutTail(Directory& directory, const SegmentState& segment);

// Copies the valid preamble over the damaged copy, without a sync.
absl::Status RestorePreamble(File& file, const SegmentState& segment);

// Renames a file that never became a segment to segment-NNNNNN.torn.N; removes it if it is empty.
absl::Status SetSegmentAside(Directory& directory, const SegmentState& segment);

}  // namespace journal

#endif  // JOURNAL_RECOVERY_REPAIR_H_
