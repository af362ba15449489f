// Digests at checkpoints, beside the journal: the file `checkpoints.trace`.
//
//   header 64 bytes │ checkpoint 96 bytes │ checkpoint │ …      FORMAT.md, section 8
//
// A checkpoint stands at every 4096th sequence number and where a recording ended. The file is
// derived: it can be made again by replaying, and is never needed to read the journal. Written by
// whoever drives the engine, because the trace and state digests are the engine's.

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

// Not thread-safe. Failure is sticky; a failed sidecar does not harm the journal.
class SidecarWriter {
 public:
  // Begins an empty sidecar, replacing one that is there. `directory` outlives it.
  static absl::StatusOr<std::unique_ptr<SidecarWriter>> Create(Directory& directory,
                                                               const Uuid& journal_uuid);

  // Goes on with the sidecar that is there, without its entries after `last` and without a torn
  // tail; begins one when there is none, or none of this journal.
  static absl::StatusOr<std::unique_ptr<SidecarWriter>> Open(Directory& directory,
                                                             const Uuid& journal_uuid,
                                                             engine::SequenceNumber last);

  // For Create() and Open().
  SidecarWriter(std::unique_ptr<File> file, const Uuid& uuid);
  ~SidecarWriter();
  SidecarWriter(const SidecarWriter&) = delete;
  SidecarWriter& operator=(const SidecarWriter&) = delete;

  // Written to the operating system at once. An entry at last_sequence() again is dropped silently:
  // a recording may end on a multiple of 4096. RESOURCE_EXHAUSTED is not sticky: nothing was added,
  // and the same checkpoint may be tried again.
  // REQUIRES: checkpoint.sequence >= last_sequence().
  absl::Status Append(const Checkpoint& checkpoint);

  absl::Status Sync();
  absl::Status Close();  // Sync, and no more.

  engine::SequenceNumber last_sequence() const { return last_; }

 private:
  std::unique_ptr<File> file_;
  const Uuid uuid_;
  uint64_t end_ = 0;
  engine::SequenceNumber last_;
  absl::Status status_;
};

struct SidecarContents {
  std::vector<Checkpoint> checkpoints;  // Ascending, up to the first that does not check out.
  // Which one that is, and what is lost with it; for people. Empty where there is none, and where
  // it is what a crash leaves: less than an entry, or zeros.
  std::string damage;
};

// Errors: NOT_FOUND (no sidecar), DATA_LOSS (its header is damaged, or it is another journal's),
// UNIMPLEMENTED (another version), the storage's.
absl::StatusOr<SidecarContents> InspectSidecar(const Directory& directory,
                                               const Uuid& journal_uuid);

// The checkpoints of InspectSidecar.
absl::StatusOr<std::vector<Checkpoint>> ReadSidecar(const Directory& directory,
                                                    const Uuid& journal_uuid);

}  // namespace journal

#endif  // JOURNAL_DIGEST_SIDECAR_H_
