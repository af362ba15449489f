// Where a replay begins: the newest usable snapshot at or before a place, or the journal's first
// record.
//
//   records    1 ───────── 409,600 ──────────── 819,200 ─────────●
//                          snapshot             snapshot         │
//                                               └── replayed ──► state that is asked for
//
// A snapshot that is damaged, or of another log, is passed over, with a warning, for the one
// before. What comes from a snapshot and what comes from the first record are equal (R2).

#ifndef REPLAY_SNAPSHOT_STATE_SOURCE_H_
#define REPLAY_SNAPSHOT_STATE_SOURCE_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "journal/journal_info.h"
#include "journal/prefix_digests.h"
#include "journal/reader.h"
#include "journal/storage/storage.h"
#include "replay/machine.h"
#include "replay/snapshot/snapshot_file.h"

namespace replay {

using MachineFactory = absl::FunctionRef<std::unique_ptr<Machine>()>;

// Owned by whoever goes on from there.
struct StartingPoint {
  std::unique_ptr<Machine> machine;
  std::optional<SnapshotHeader> snapshot;  // Nullopt: before the first record.
  std::vector<std::string> warnings;       // Of snapshots that were passed over.

  engine::SequenceNumber last_applied() const {
    return snapshot.has_value() ? snapshot->sequence : engine::SequenceNumber();
  }
};

// Only snapshots that are proven, of the engine's semantics version, and of this journal are tried:
// the log digest that one names is that of the journal's records up to there, as `digests` of the
// same journal says. `snapshots` may be null. Errors: FAILED_PRECONDITION when none is left and the
// journal does not begin with its first record; the storage's.
absl::StatusOr<StartingPoint> FindStart(const journal::Directory* snapshots,
                                        journal::PrefixDigests& digests,
                                        const journal::JournalInfo& info,
                                        engine::SequenceNumber at_most, MachineFactory make);

// The state after `sequence`: FindStart, and what is left replayed. `snapshot` of the result says
// where that began. Errors: as FindStart, the reader's.
absl::StatusOr<StartingPoint> OpenState(const journal::Directory* snapshots,
                                        journal::PrefixDigests& digests, journal::Reader& reader,
                                        engine::SequenceNumber sequence, MachineFactory make);

}  // namespace replay

#endif  // REPLAY_SNAPSHOT_STATE_SOURCE_H_
