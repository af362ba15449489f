// Following a journal while it is written: the option, the loop, and a note about records that are
// not durable yet.
//
//   shown     └───────────────┘
//   written   └─────────────────────────────┘  for a while: "… are written, and not durable yet …"

#ifndef TOOLS_CLI_READ_FOLLOW_H_
#define TOOLS_CLI_READ_FOLLOW_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "journal/follower.h"
#include "journal/record.h"
#include "journal/storage/storage.h"
#include "tools/cli/base/console.h"
#include "tools/os/clocks.h"
#include "tools/os/folder_watch.h"
#include "tools/os/signals.h"

namespace tools {

// Not thread-safe: owned by its follower.
class UnsyncedNote {
 public:
  // Call it whenever there is nothing left to show, with the time in seconds of some clock and the
  // last record shown. Returns the note, once: if some time ago there were records after `shown`,
  // and there still are. `written` returns the last record that exists, and is called rarely.
  std::optional<std::string> Check(double seconds, engine::SequenceNumber shown,
                                   absl::FunctionRef<engine::SequenceNumber()> written);

 private:
  bool was_given_ = false;
  engine::SequenceNumber shown_;  // The last record shown, and …
  bool was_late_ = false;         // … whether there were records after it at the last check.
  double next_check_ = 0;
  double pause_ = 0;
};

// Returns the last record that can be read in `directory`; 0 if there is none.
engine::SequenceNumber LastWritten(const journal::Directory& directory);

class Options;

// A journal followed until Ctrl-C. Not thread-safe: owned by the verb.
struct FollowedJournal {
  std::unique_ptr<journal::Directory> directory;  // Outlives the follower.
  std::unique_ptr<Interrupt> interrupt;           // Outlives the watch.
  std::unique_ptr<FolderWatch> watch;
  std::unique_ptr<journal::Follower> follower;
};

// Not thread-safe: owned by the verb.
class FollowOption {
 public:
  void Declare(Options& options);

  bool is_set() const { return !depth_.empty(); }

  // Opens the journal at its first record. Errors: INVALID_ARGUMENT (the option's value); those of
  // opening and following, with the path.
  absl::StatusOr<FollowedJournal> Open(const std::string& path) const;

  // Call it whenever there is nothing left to show. Returns false if following ends because the
  // writer has closed the journal (--until-closed). Notes once that the writer has closed it, and
  // once that there are records which are written but not yet durable.
  bool ShouldContinue(const FollowedJournal& followed, Console& console);

 private:
  std::string depth_;  // Empty: does not follow.
  bool until_closed_ = false;
  bool has_noted_closed_ = false;
  UnsyncedNote unsynced_;
  Stopwatch stopwatch_;
};

// Calls `visit` with each record until it returns false. When there is nothing left to show, calls
// `idle`, then the waiter; either ends the loop by returning false. Errors: the follower's.
absl::Status WalkFollowing(journal::Follower& follower, Waiter& waiter,
                           absl::FunctionRef<bool(const journal::Record&)> visit,
                           absl::FunctionRef<bool()> idle);

}  // namespace tools

#endif  // TOOLS_CLI_READ_FOLLOW_H_
