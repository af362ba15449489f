// Which segments may be deleted, and deleting them.
//
//   segment 0 │ segment 1 │ segment 2 │ segment 3 │ segment 4, being written
//             deletable ──┘           ▲           ▲
//                                     │           └ newest eligible snapshot
//                                     └ second-newest eligible snapshot, or a hold: the lowest
//                                     counts
//
// A segment goes only when everything in it lies behind the second-newest snapshot that was proven
// by restoring it, and behind every hold. What is kept begins with whole runs of the log digest
// (FORMAT.md, section 9), so that restoring a snapshot and going on writing can both resume it.
//
// Before anything goes, every record of what stays is read: what is deleted may be the last thing
// from which a damaged rest could be mended.

#ifndef JOURNAL_RETENTION_H_
#define JOURNAL_RETENTION_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "journal/holds.h"
#include "journal/journal_state.h"
#include "journal/parallel_work.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"
#include "journal/verify.h"

namespace journal {

// The sequence numbers of the snapshots that have been restored and compared, in any order. What a
// snapshot is, the journal does not know.
using EligibleSnapshots = std::vector<engine::SequenceNumber>;

struct DeletableSegment {
  uint64_t segment_index = 0;
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
  engine::SequenceNumber needed_from;  // What the rules say must stay.
  std::string reason;                  // Which rule: "hold 'warehouse' at 123457".
  uint64_t checked_segments = 0;       // That stay, and of which every record was read.

  uint64_t deletable_bytes() const;
};

// Errors: DATA_LOSS when the journal is DAMAGED: nothing is deleted from a journal that needs help.
absl::StatusOr<PrunePlan> PlanPrune(const JournalState& state, const EligibleSnapshots& snapshots,
                                    const std::vector<Hold>& holds);

// For the reading of what stays; each may be empty, as in VerifyOptions and Verify().
struct KeptCheck {
  ParallelWork parallel = nullptr;
  std::function<void(const VerifyProgress&)> progress = nullptr;
};

// Looks at the directory and plans; where something could go, reads what stays. Errors: DATA_LOSS
// when that is damaged in any record, as above.
absl::StatusOr<PrunePlan> PlanPrune(const Directory& directory, const EligibleSnapshots& snapshots,
                                    const KeptCheck& check = {});

// What is to be done while everything is still there, such as keeping some of it elsewhere. As much
// as `plan` says will be deleted, or less. An error: nothing is.
using BeforeDeleting = std::function<absl::Status(const PrunePlan& plan)>;

// Takes the lock for maintenance, plans as above, writes the file `beginning`, looks at the holds
// again, then deletes, oldest first, syncing after each: every crash leaves a journal that
// begins later. Returns what was deleted. A writer may be at work meanwhile: it never touches what
// is deleted here. Holds may move, too: none of what they then need goes, and what they no longer
// need goes the next time. Errors: as PlanPrune; UNAVAILABLE (other maintenance is under way).
absl::StatusOr<PrunePlan> Prune(Directory& directory, const EligibleSnapshots& snapshots,
                                const BeforeDeleting& before = nullptr,
                                const KeptCheck& check = {});

}  // namespace journal

#endif  // JOURNAL_RETENTION_H_
