// The sidecar: the file `checkpoints.trace` beside the segments, with digests at checkpoints.
//
//   header 64 bytes │ checkpoint 96 bytes │ checkpoint │ …      FORMAT.md, section 8
//
// There is a checkpoint at every 4096th sequence number and where a recording ended. The file is
// never needed to read the journal. The engine's driver writes it, because the trace and state
// digests are the engine's. They can be recomputed only by replaying, so no entry is overwritten or
// cut off without a copy beside the file (file_operations.h).
//
// Each checkpoint has its own hash: damage affects only the checkpoint it hits.

#ifndef JOURNAL_DIGEST_SIDECAR_H_
#define JOURNAL_DIGEST_SIDECAR_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"

namespace journal {

inline constexpr absl::string_view kSidecarFileName = "checkpoints.trace";

// A regular value type: the digests after the record `sequence`; nothing where one was not taken.
struct Checkpoint {
  engine::SequenceNumber sequence = {};
  std::optional<engine::Digest> log = {};
  std::optional<engine::Digest> trace = {};
  std::optional<engine::Digest> state = {};

  friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

// The maximum number of checkpoints in the sidecar of a journal with the last record `last`.
// Entries after that many are ignored.
uint64_t CheckpointsMax(engine::SequenceNumber last);

// Not thread-safe: owned by its caller. Errors are sticky; they do not affect the journal.
class SidecarWriter {
 public:
  // Creates an empty sidecar. Renames an existing one to a .torn name (file_operations.h).
  // `directory` outlives the writer. Errors: the storage's.
  static absl::StatusOr<std::unique_ptr<SidecarWriter>> Create(Directory& directory,
                                                               const Uuid& journal_uuid);

  // Opens the existing sidecar and cuts off all bytes after its last checkpoint at or before
  // `last`, the journal's last record. Creates one if there is none of this journal. Bytes that are
  // cut off or replaced are first copied to a .torn file, which notes() names.
  // Errors: UNIMPLEMENTED (another version), the storage's.
  static absl::StatusOr<std::unique_ptr<SidecarWriter>> Open(Directory& directory,
                                                             const Uuid& journal_uuid,
                                                             engine::SequenceNumber last);

  // For Create() and Open().
  SidecarWriter(std::unique_ptr<File> file, const Uuid& uuid,
                const std::vector<Checkpoint>& checkpoints, uint64_t end);
  SidecarWriter(const SidecarWriter&) = delete;
  SidecarWriter& operator=(const SidecarWriter&) = delete;

  // Writes the entry immediately, without a sync. Ignores a second checkpoint at last_sequence(),
  // because a recording may end on a multiple of 4096, and one above CheckpointsMax().
  // RESOURCE_EXHAUSTED is not sticky: nothing was added, and the caller may retry the checkpoint.
  // REQUIRES: checkpoint.sequence >= last_sequence().
  absl::Status Append(const Checkpoint& checkpoint);

  absl::Status Sync();
  absl::Status Close();  // Sync(); later calls fail with FAILED_PRECONDITION.

  engine::SequenceNumber last_sequence() const { return last_; }

  // For people: the faults of the existing sidecar, and the names under which its bytes are kept.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  void NoteKept(absl::string_view what, absl::string_view name);

  std::unique_ptr<File> file_;
  const Uuid uuid_;
  uint64_t end_ = 0;
  engine::SequenceNumber last_;
  std::vector<std::string> notes_;
  absl::Status status_;
};

struct SidecarContents {
  std::vector<Checkpoint> checkpoints;  // Ascending: the valid ones.
  // For people: the faults found. Empty if all checkpoints are valid. A partial entry or zeros at
  // the end are no fault, because a crash leaves them.
  std::string damage;
};

// Reads the sidecar of a journal with the last record `last`. Time and memory are bounded by
// CheckpointsMax(last), however long the file is. Errors: NOT_FOUND (no sidecar), DATA_LOSS (its
// header is damaged and no checkpoint is valid, or it is another journal's), UNIMPLEMENTED (another
// version), the storage's.
absl::StatusOr<SidecarContents> InspectSidecar(const Directory& directory, const Uuid& journal_uuid,
                                               engine::SequenceNumber last);

// Returns the checkpoints of InspectSidecar(). Errors: the same.
absl::StatusOr<std::vector<Checkpoint>> ReadSidecar(const Directory& directory,
                                                    const Uuid& journal_uuid,
                                                    engine::SequenceNumber last);

// Atomically replaces the sidecar with one of these checkpoints. Keeps the old one and returns its
// new name, empty if there was none. Errors: the storage's.
absl::StatusOr<std::string> ReplaceSidecar(Directory& directory, const Uuid& journal_uuid,
                                           engine::SequenceNumber last,
                                           const std::vector<Checkpoint>& checkpoints);

}  // namespace journal

#endif  // JOURNAL_DIGEST_SIDECAR_H_
