// A journal as it lies on the disk, for a program that is about to change it.
//
// After a sync that failed the system may hold pages in memory that are on no disk: reads return
// them, and later syncs succeed without writing them. A writer that writes behind them acknowledges
// records behind a hole. So a journal is not changed before all that is kept of it is proven.
//
//   sync ─► drop the cache ─► inspect: what is read is on the disk
//                └─ not possible ─► inspect, then write the last segment anew and sync it
//
// Only the last segment is in doubt: another one is begun when all before it was synced.

#ifndef JOURNAL_INSPECT_FOR_WRITING_H_
#define JOURNAL_INSPECT_FOR_WRITING_H_

#include "absl/status/statusor.h"
#include "journal/journal_state.h"
#include "journal/segment_look.h"
#include "journal/storage/storage.h"

namespace journal {

// REQUIRES: the writer's lock is held. What the state calls readable is durable. Errors: DATA_LOSS
// (the journal is DAMAGED: nothing was changed), those of InspectJournal, the storage's.
absl::StatusOr<JournalState> InspectForWriting(Directory& directory, InspectDepth depth);

}  // namespace journal

#endif  // JOURNAL_INSPECT_FOR_WRITING_H_
