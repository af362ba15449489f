// Drives a machine of its own over a log and takes snapshots of it; the live engine takes none.
//
//   record ─► machine ─► at the end of a run: file ─► fresh machine ─► same digest? ─► proven

#ifndef REPLAY_SNAPSHOT_SNAPSHOT_TAKER_H_
#define REPLAY_SNAPSHOT_SNAPSHOT_TAKER_H_

#include <string>

#include "absl/status/status.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "journal/log_digest.h"
#include "journal/record.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"
#include "replay/driver.h"
#include "replay/snapshot/state_source.h"

namespace replay {

// Not thread-safe. `start` outlives it.
class SnapshotTaker {
 public:
  // `build` names the program that writes the snapshots.
  SnapshotTaker(StartingPoint& start, const journal::Uuid& journal_uuid, std::string build);

  // REQUIRES: `record` follows last_applied().
  void Apply(const journal::Record& record);

  engine::SequenceNumber last_applied() const { return driver_.last_applied(); }
  bool can_take() const { return driver_.at_checkpoint(); }

  // Writes the snapshot of last_applied() and proves it with a fresh machine. Errors: those of
  // WriteSnapshot and ProveSnapshot. REQUIRES: can_take().
  absl::Status Take(journal::Directory& snapshots, MachineFactory make);

  // Returns the header of a snapshot taken here. REQUIRES: can_take().
  SnapshotHeader HeaderHere() const;

 private:
  Driver driver_;
  journal::LogDigest log_;
  const journal::Uuid journal_uuid_;
  const std::string build_;
  engine::Timestamp time_;
};

}  // namespace replay

#endif  // REPLAY_SNAPSHOT_SNAPSHOT_TAKER_H_
