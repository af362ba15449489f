// Finds where a replay begins: the newest usable snapshot at or before a record, or the journal's
// first record.
//
//   records    1 ───────── 409,600 ──────────── 819,200 ─────────●
//                          snapshot             snapshot         │
//                                               └── replayed ──► state that is requested
//
// A snapshot that is damaged or belongs to another log is skipped with a warning, and the one
// before it is tried. The resulting state is the same with and without a snapshot (R2).
//
// New snapshots are taken of a machine that replays the log; the live engine takes none.
//
//   record ─► machine ─► at the end of a run: file ─► fresh machine ─► same digest? ─► proven

#ifndef REPLAY_SNAPSHOT_STATE_SOURCE_H_
#define REPLAY_SNAPSHOT_STATE_SOURCE_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/views/venue_memory.h"
#include "journal/journal_info.h"
#include "journal/log_digest.h"
#include "journal/prefix_digests.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"
#include "replay/driver.h"
#include "replay/machine.h"
#include "replay/snapshot/snapshot_file.h"
#include "replay/snapshot/snapshot_store.h"

namespace replay {

using MachineFactory = absl::FunctionRef<std::unique_ptr<Machine>()>;

// Where to begin. Owned by its caller.
struct StartingPoint {
  std::unique_ptr<Machine> machine;
  std::optional<SnapshotHeader> snapshot;  // Nullopt: before the first record.
  std::vector<std::string> warnings;       // About skipped snapshots.
  // What a venue remembers there; nullopt unless it was asked for.
  std::optional<engine::VenueMemory> memory = {};

  engine::SequenceNumber last_applied() const {
    return snapshot.has_value() ? snapshot->sequence : engine::SequenceNumber();
  }
  // The log's digest up to and including last_applied().
  journal::LogDigest log_digest() const {
    return snapshot.has_value() ? journal::LogDigest(snapshot->sequence, snapshot->log)
                                : journal::LogDigest();
  }
  // Makes `driver`, a new one of the machine, continue after last_applied().
  void Resume(Driver& driver) const {
    if (snapshot.has_value()) driver.ResumeAt(CheckpointOf(*snapshot), snapshot->event_count);
  }
};

// Whether a start needs what a venue remembers beside the state of its machine.
enum class WithMemory { kNo, kYes };

// Tries only snapshots that are proven, have the engine's semantics version, and belong to this
// journal: their log digest equals the one that `digests`, of the same journal, has for that
// record. With memory, only those that have it. `snapshots` may be null. Errors:
// FAILED_PRECONDITION if none is usable and the journal does not begin at record 1; the storage's.
absl::StatusOr<StartingPoint> FindStart(const journal::Directory* snapshots,
                                        journal::PrefixDigests& digests,
                                        const journal::JournalInfo& info,
                                        engine::SequenceNumber at_most, MachineFactory make,
                                        WithMemory with_memory = WithMemory::kNo);

// Returns the state after `sequence`: FindStart, then a replay of the remaining records. The
// result's `snapshot` is the one it began from. Errors: as FindStart, the reader's; OUT_OF_RANGE
// beyond the end.
absl::StatusOr<StartingPoint> OpenState(const journal::Directory* snapshots,
                                        journal::PrefixDigests& digests, journal::Reader& reader,
                                        engine::SequenceNumber sequence, MachineFactory make);

// Not thread-safe. `start` outlives it. If the start has a venue's memory, so do the snapshots.
class SnapshotTaker {
 public:
  // `build` names the program that writes the snapshots.
  SnapshotTaker(StartingPoint& start, const journal::Uuid& journal_uuid, std::string build);

  // REQUIRES: `record` follows last_applied().
  void Apply(const journal::Record& record);

  // Applies the records after last_applied(), up to and including `last`; calls `applied` after
  // each. Errors: the reader's; DATA_LOSS if the journal ends before `last`.
  absl::Status ApplyUntil(engine::SequenceNumber last, journal::Reader& reader,
                          absl::FunctionRef<void(engine::SequenceNumber)> applied);

  engine::SequenceNumber last_applied() const { return driver_.last_applied(); }
  bool can_take() const { return driver_.at_checkpoint(); }

  // Writes the snapshot of last_applied() and proves it with a fresh machine. Errors: those of
  // WriteSnapshot and ProveSnapshot. REQUIRES: can_take().
  absl::StatusOr<Snapshot> Take(journal::Directory& snapshots, MachineFactory make);

 private:
  Driver driver_;
  std::optional<engine::VenueMemory>& memory_;
  journal::LogDigest log_;
  const journal::Uuid journal_uuid_;
  const std::string build_;
  engine::Timestamp time_;
};

}  // namespace replay

#endif  // REPLAY_SNAPSHOT_STATE_SOURCE_H_
