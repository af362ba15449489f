// Digests at checkpoints, beside the journal: the file `checkpoints.trace`.
//
//   header 64 bytes │ checkpoint 96 bytes │ checkpoint │ …      FORMAT.md, section 8
//
// A checkpoint stands at every 4096th sequence number and where a recording ended. The file is
// never needed to read the journal. The engine's driver writes it, because the trace and
// state digests are the engine's; they can be computed only by replaying, so nothing that was
// recorded is ever overwritten or cut off without a copy beside it (set_aside.h).
//
// Each checkpoint is checked by itself: damage costs the one it is in.

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

// A regular value type: digests after the record `sequence`, those that were taken.
struct Checkpoint {
  engine::SequenceNumber sequence = {};
  std::optional<engine::Digest> log = {};
  std::optional<engine::Digest> trace = {};
  std::optional<engine::Digest> state = {};

  friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

// How many checkpoints the sidecar of a journal with the last record `last` may have. What stands
// behind that many is not looked at.
uint64_t CheckpointsMax(engine::SequenceNumber last);

// Not thread-safe. Failure is sticky; a failed sidecar does not harm the journal.
class SidecarWriter {
 public:
  // Begins an empty sidecar. One that is there is renamed, as set_aside.h says. `directory`
  // outlives it.
  static absl::StatusOr<std::unique_ptr<SidecarWriter>> Create(Directory& directory,
                                                               const Uuid& journal_uuid);

  // Goes on with the sidecar that is there, without what stands behind its last checkpoint at or
  // before `last`, the journal's last record; begins one when there is none of this journal. What
  // is cut off or replaced is kept beside it, and notes() says so.
  static absl::StatusOr<std::unique_ptr<SidecarWriter>> Open(Directory& directory,
                                                             const Uuid& journal_uuid,
                                                             engine::SequenceNumber last);

  // For Create() and Open().
  SidecarWriter(std::unique_ptr<File> file, const Uuid& uuid,
                const std::vector<Checkpoint>& checkpoints, uint64_t end);
  ~SidecarWriter();
  SidecarWriter(const SidecarWriter&) = delete;
  SidecarWriter& operator=(const SidecarWriter&) = delete;

  // Written to the operating system at once. An entry at last_sequence() again is dropped silently:
  // a recording may end on a multiple of 4096; so is one too many (CheckpointsMax).
  // RESOURCE_EXHAUSTED is not sticky: nothing was added, and the same checkpoint may be tried
  // again. REQUIRES: checkpoint.sequence >= last_sequence().
  absl::Status Append(const Checkpoint& checkpoint);

  absl::Status Sync();
  absl::Status Close();  // Sync, and no more.

  engine::SequenceNumber last_sequence() const { return last_; }

  // What was wrong with the sidecar that was there, and under which name bytes of it are kept; for
  // people.
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
  std::vector<Checkpoint> checkpoints;  // Ascending: those that check out.
  // What does not, for people. Empty where all does, and where a crash leaves no more: an end that
  // is less than an entry, or zeros.
  std::string damage;
};

// Reads the sidecar of a journal with the last record `last`, in time and memory bounded by
// CheckpointsMax(last), however long the file is. Errors: NOT_FOUND (no sidecar), DATA_LOSS (its
// header is damaged and no checkpoint checks out, or it is another journal's), UNIMPLEMENTED
// (another version), the storage's.
absl::StatusOr<SidecarContents> InspectSidecar(const Directory& directory, const Uuid& journal_uuid,
                                               engine::SequenceNumber last);

// The checkpoints of InspectSidecar.
absl::StatusOr<std::vector<Checkpoint>> ReadSidecar(const Directory& directory,
                                                    const Uuid& journal_uuid,
                                                    engine::SequenceNumber last);

// Writes a sidecar of these checkpoints in place of the one that is there, at once or not at all.
// The old one is kept; its new name, empty where there was none.
absl::StatusOr<std::string> ReplaceSidecar(Directory& directory, const Uuid& journal_uuid,
                                           engine::SequenceNumber last,
                                           const std::vector<Checkpoint>& checkpoints);

}  // namespace journal

#endif  // JOURNAL_DIGEST_SIDECAR_H_
