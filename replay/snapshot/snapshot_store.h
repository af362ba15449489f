// The snapshots of a journal: one folder, `snapshots`, in its directory.
//
//   00000000000000409600.snap      the state, written by SnapshotFileWriter
//   00000000000000409600.proven    proof that it was restored and had the right state digest
//   00000000000000409600.memory    what a venue remembers beside the state (engine/views), if known
//
// A snapshot is written under a temporary name, synced and renamed, and then the folder is synced:
// it is complete or absent. It is not used until it has been restored into a fresh machine whose
// state digest equals the saved one (ProveSnapshot). The proof is a second file, so that no file is
// ever rewritten; it names the content that it proves. It does not prove that the state belongs to
// this journal: users of a snapshot check its log digest against the journal.

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
#include "engine/views/venue_memory.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"
#include "replay/machine.h"
#include "replay/snapshot/snapshot_file.h"

namespace replay {

inline constexpr absl::string_view kSnapshotFolder = "snapshots";

struct Snapshot {
  engine::SequenceNumber sequence;  // From the file's name.
  std::string file_name;
  SnapshotHeader header;
  engine::Digest content;
  uint64_t file_bytes = 0;
  bool is_proven = false;
  bool has_memory = false;  // A file with its memory is there.
  std::string damage;  // Why it cannot be used; if set, header, content and file_bytes are invalid.

  // Usable if the journal has its log digest at that record (journal/prefix_digests.h).
  bool is_proven_and_whole() const { return is_proven && damage.empty(); }
};

// Returns the journal's snapshots, newest first. Checks headers, footers and proofs, but not parts.
// Errors: the storage's.
absl::StatusOr<std::vector<Snapshot>> ListSnapshots(const journal::Directory& snapshots,
                                                    const journal::Uuid& journal_uuid);

// Saves the machine's state. Replaces an existing snapshot and its proof. Errors: the storage's,
// UNAVAILABLE (another process writes snapshots), UNIMPLEMENTED (the machine cannot save).
// REQUIRES: `header` describes the machine's state, at the end of a run of 4096.
absl::Status WriteSnapshot(journal::Directory& snapshots, const SnapshotHeader& header,
                           const Machine& machine);

// Loads the state into `machine`, to which nothing was applied, and compares the state digests.
// Errors: as SnapshotFileReader, including NOT_FOUND if it was removed since it was listed;
// DATA_LOSS (invalid state, or another state digest or sequence number than the header has).
absl::Status RestoreSnapshot(const journal::Directory& snapshots, const Snapshot& snapshot,
                             Machine& machine);

// The same; on success, marks the snapshot as proven.
absl::Status ProveSnapshot(journal::Directory& snapshots, const Snapshot& snapshot, Machine& fresh);

// Saves what a venue remembers after the snapshot's record, and proves it by loading it. Call it
// before WriteSnapshot(), so that a proven snapshot has its memory. Errors: as WriteSnapshot and
// ReadMemory. REQUIRES: `header` is that of the snapshot.
absl::Status WriteMemory(journal::Directory& snapshots, const SnapshotHeader& header,
                         const engine::VenueMemory& memory);

// Errors: NOT_FOUND if the snapshot has none; as SnapshotFileReader; DATA_LOSS (invalid, of another
// snapshot, or with another digest than its header has).
absl::StatusOr<engine::VenueMemory> ReadMemory(const journal::Directory& snapshots,
                                               const SnapshotHeader& header);

// Removes the snapshot, its proof and its memory durably.
absl::Status RemoveSnapshot(journal::Directory& snapshots, engine::SequenceNumber sequence);

}  // namespace replay

#endif  // REPLAY_SNAPSHOT_SNAPSHOT_STORE_H_
