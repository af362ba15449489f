// The snapshots of a journal: one folder, `snapshots`, beside its segments.
//
//   00000000000000409600.snap      the state, as of SnapshotFileWriter
//   00000000000000409600.proven    that it was restored once, and was the state
//
// A snapshot is written under another name, synced, renamed, and the folder synced: it is whole or
// not there. It counts for nothing until it has been restored into a fresh machine whose state
// digest is the saved one (ProveSnapshot); what says so is a second file, so that no file is ever
// written to again. The proof names the content it is for. It does not say that the journal beside
// it is the log that the state is of: users of a snapshot ask the journal.

#ifndef REPLAY_SNAPSHOT_SNAPSHOT_STORE_H_
#define REPLAY_SNAPSHOT_SNAPSHOT_STORE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"
#include "replay/machine.h"
#include "replay/snapshot/snapshot_file.h"

namespace replay {

inline constexpr absl::string_view kSnapshotFolder = "snapshots";

struct Snapshot {
  engine::SequenceNumber sequence;  // By the file's name.
  std::string file_name;
  SnapshotHeader header;
  engine::Digest content;
  uint64_t file_bytes = 0;
  bool is_proven = false;
  std::string damage;  // Why it cannot be used; then header, content and bytes mean nothing.

  // It may be used where the journal has the log digest that it names (journal/prefix_digests.h).
  bool is_proven_and_whole() const { return is_proven && damage.empty(); }
};

// Those of the journal, the newest first; headers, footers and proofs are looked at, parts are not.
// Errors: the storage's.
absl::StatusOr<std::vector<Snapshot>> ListSnapshots(const journal::Directory& snapshots,
                                                    const journal::Uuid& journal_uuid);

// Saves the machine as it is. One that is there already is replaced, with its proof. Errors: the
// storage's, UNAVAILABLE (another process writes snapshots), UNIMPLEMENTED (the machine cannot).
// REQUIRES: `header` is that of the machine's state, at the end of a run of 4096.
absl::Status WriteSnapshot(journal::Directory& snapshots, const SnapshotHeader& header,
                           const Machine& machine);

// Puts the state into `machine`, to which nothing was applied, and compares the digests. Errors: as
// SnapshotFileReader, so NOT_FOUND where it was removed since it was listed; DATA_LOSS (what it
// holds is no state, or another than it says).
absl::Status RestoreSnapshot(const journal::Directory& snapshots, const Snapshot& snapshot,
                             Machine& machine);

// The same, and from then on the snapshot is proven.
absl::Status ProveSnapshot(journal::Directory& snapshots, const Snapshot& snapshot, Machine& fresh);

// The snapshot and its proof, durably.
absl::Status RemoveSnapshot(journal::Directory& snapshots, engine::SequenceNumber sequence);

}  // namespace replay

#endif  // REPLAY_SNAPSHOT_SNAPSHOT_STORE_H_
