// Inspects a journal for a program that will change it, and proves that the data is on the disk.
//
// After a failed sync the page cache may hold pages that are on no disk: reads return them, and
// later syncs succeed without writing them. A writer that appended after such pages would
// acknowledge records after a hole. So a journal is not changed before this proof.
//
//   sync ─► drop the page cache ─► inspect: all bytes read are on the disk
//                └─ not possible ─► inspect, then copy the last segment to a new file and sync that
//
// Only the last segment is in doubt: a segment is begun only after the one before it was synced.

#ifndef JOURNAL_INSPECT_FOR_WRITING_H_
#define JOURNAL_INSPECT_FOR_WRITING_H_

#include "absl/status/statusor.h"
#include "journal/journal_state.h"
#include "journal/segment_look.h"
#include "journal/storage/storage.h"

namespace journal {

// Returns the state of the journal; every block in it is durable. REQUIRES: the caller holds the
// writer lock. Errors: DATA_LOSS (the journal is DAMAGED; nothing is changed), those of
// InspectJournal(), the storage's.
absl::StatusOr<JournalState> InspectForWriting(Directory& directory, InspectDepth depth);

}  // namespace journal

#endif  // JOURNAL_INSPECT_FOR_WRITING_H_
