// Follows a journal that is being written, from another thread or process.
//
//   written    │ block │ block │ block │ block │ half a bl
//   durable    └── covered by watermark ───┘      in a later block, or in the file `watermark`
//   shown      └── Poll() ─────────────────┘      never records that recovery may cut off
//
// Reads files and nothing else: no lock and no channel to the writer, so any number of processes
// may follow. Continues across segments, and across a crash and restart of the writer. Never waits:
// Poll() returns an empty batch, and its caller decides how to wait (tools/os/folder_watch).

#ifndef JOURNAL_FOLLOWER_H_
#define JOURNAL_FOLLOWER_H_

#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "journal/reader.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"

namespace journal {

enum class FollowDepth {
  kDurable,  // Records that the watermark covers: they survive a power cut.
  kWritten,  // Records that the operating system has: a power cut may lose them.
};

struct FollowOptions {
  FollowDepth depth = FollowDepth::kDurable;
  engine::SequenceNumber from = {};  // The first record to show; 0: the journal's first.
};

// Not thread-safe: owned by its caller. `directory` outlives it.
//
// Validates every block as Reader does. An invalid block that the watermark covers is damage; one
// that the watermark does not cover yet has not arrived yet. Errors are sticky.
class Follower {
 public:
  // Accepts an empty directory: its journal has not begun yet. Errors: OUT_OF_RANGE (`from` is
  // before the journal's first record), UNIMPLEMENTED (a newer format), the storage's.
  static absl::StatusOr<std::unique_ptr<Follower>> Open(const Directory& directory,
                                                        FollowOptions options);

  Follower() = default;
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;
  virtual ~Follower() = default;

  // Returns the next records; empty: none for now. The batch is valid until the next call.
  // Errors: DATA_LOSS (the message says what is damaged and where; or, with kWritten, that recovery
  // cut off records already shown), UNIMPLEMENTED, the storage's.
  virtual absl::StatusOr<Batch> Poll() = 0;

  // The next record to show; 0: unknown.
  virtual engine::SequenceNumber next_sequence() const = 0;
  // The last record known to be durable so far.
  virtual engine::SequenceNumber durable_sequence() const = 0;

  // Nothing until the journal has begun.
  virtual std::optional<Uuid> journal_uuid() const = 0;

  // True if the last Poll() had reached a SEAL block and no segment followed or was about to: the
  // writer has closed the journal. A later writer may continue it.
  virtual bool is_closed() const = 0;
};

}  // namespace journal

#endif  // JOURNAL_FOLLOWER_H_
