// Follows a journal that is being written, from another process or thread of reading.
//
//   written    │ block │ block │ block │ block │ half a bl
//   durable    └── the watermark says so ──┘      of a later block, or of the file of that name
//   shown      └── Poll() ─────────────────┘      never what a recovery may take back
//
// Looks at the files and nothing else: no lock, no word to the writer, so any number may follow,
// and a writer that crashes and starts again is followed on, across segments. Never waits: Poll()
// says that there is nothing new, and its caller decides how to wait (tools/os/folder_watch).

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
  kDurable,  // What the watermark says survives the machine.
  kWritten,  // What the operating system has: a power cut may take it back.
};

struct FollowOptions {
  FollowDepth depth = FollowDepth::kDurable;
  engine::SequenceNumber from = {};  // The first record to show; 0: the journal's first.
};

// Not thread-safe: owned by whoever follows. `directory` outlives it.
//
// Every block is checked as Reader checks it. A block that fails its checks behind the watermark is
// damage; before it, it is not there yet. Errors are sticky.
class Follower {
  class Impl;

 public:
  // An empty directory is a journal that has not begun. Errors: OUT_OF_RANGE (`from` is before the
  // journal's first record), UNIMPLEMENTED (a newer format), the storage's.
  static absl::StatusOr<std::unique_ptr<Follower>> Open(const Directory& directory,
                                                        FollowOptions options);

  // For Open(): Impl is private.
  explicit Follower(std::unique_ptr<Impl> impl);
  ~Follower();
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  // The records that can be shown next; empty: none for now. Valid until the next call.
  // Errors: DATA_LOSS (what is damaged, and where; or, with kWritten, that records already shown
  // were cut off), UNIMPLEMENTED, the storage's.
  absl::StatusOr<Batch> Poll();

  engine::SequenceNumber next_sequence() const;     // Of the record that is shown next; 0: unknown.
  engine::SequenceNumber durable_sequence() const;  // As far as has been looked.

  // Nothing before the journal has begun.
  std::optional<Uuid> journal_uuid() const;

  // The last Poll() stood behind a SEAL block, no segment followed, and none was about to: the
  // writer has closed the journal, and a later one may go on with it.
  bool is_closed() const;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace journal

#endif  // JOURNAL_FOLLOWER_H_
