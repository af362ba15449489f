// Decides which segments may be deleted, and deletes them.
//
//   segment 0 │ segment 1 │ segment 2 │ segment 3 │ segment 4, being written
//             deletable ──┘           ▲           ▲
//                                     │           └ newest eligible snapshot
//                                     └ second-newest eligible snapshot, or a hold: the lowest
//                                     of them decides
//
// A segment may be deleted only if all its records are at or before the second-newest snapshot that
// was verified by restoring it, and before every hold. The segments that are kept include whole
// runs of the log digest (FORMAT.md, section 9), so that the digest can be resumed both when a
// snapshot is restored and when a writer continues.
//
// Before anything is deleted, every record that is kept is read: if the rest were damaged, the
// deleted segments might be the only source for a repair.

#ifndef JOURNAL_MAINTENANCE_RETENTION_H_
#define JOURNAL_MAINTENANCE_RETENTION_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "journal/parallel_work.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"

namespace journal {

// The sequence numbers of the snapshots that were restored and compared, in any order. The journal
// knows nothing else of snapshots.
using EligibleSnapshots = std::vector<engine::SequenceNumber>;

struct DeletableSegment {
  std::string file_name;
  engine::SequenceNumber first_sequence;
  engine::SequenceNumber last_sequence;
  uint64_t file_bytes = 0;
};

struct PrunePlan {
  Uuid journal_uuid;
  std::vector<DeletableSegment> deletable;  // Oldest first; the journal's first segments.
  uint64_t first_kept_segment = 0;
  engine::SequenceNumber first_kept;   // The journal's first record afterwards.
  engine::SequenceNumber needed_from;  // The first record that must stay.
  std::string reason;                  // Why: "hold 'warehouse' at 123457".
  uint64_t checked_segments = 0;       // Kept segments of which every record was read.

  uint64_t deletable_bytes() const;
};

// How to read the segments that are kept, as in VerifyOptions and Verify().
struct KeptCheck {
  ParallelWork parallel = OneByOne;
  WorkProgress progress = nullptr;
};

// Plans from indexes. If something can be deleted, reads every record that is kept.
// Errors: NOT_FOUND (no journal yet), DATA_LOSS (the journal is DAMAGED, or a record that is kept
// is: nothing may be deleted from it), the storage's.
absl::StatusOr<PrunePlan> PlanPrune(const Directory& directory, const EligibleSnapshots& snapshots,
                                    const KeptCheck& check = {});

// Called before the first deletion, for example to keep some of the rows elsewhere. Prune() then
// deletes the segments of `plan`, or fewer. If it returns an error, nothing is deleted.
using BeforeDeleting = std::function<absl::Status(const PrunePlan& plan)>;

// Takes the maintenance lock, plans as above, writes the file `beginning`, reads the holds again,
// then deletes, oldest first, and syncs after each: every crash leaves a valid journal that begins
// later. Returns the plan that was carried out. A writer may run at the same time: it never uses
// the segments that are deleted. Holds may move at the same time: a segment that a moved hold needs
// is kept, and one that holds have just released is deleted by the next Prune().
// Errors: as PlanPrune; UNAVAILABLE (another program maintains the journal).
absl::StatusOr<PrunePlan> Prune(Directory& directory, const EligibleSnapshots& snapshots,
                                const BeforeDeleting& before = nullptr,
                                const KeptCheck& check = {});

}  // namespace journal

#endif  // JOURNAL_MAINTENANCE_RETENTION_H_
