// --follow, for every verb that can follow a journal while it is written.

#ifndef TOOLS_CLI_READ_FOLLOW_OPTION_H_
#define TOOLS_CLI_READ_FOLLOW_OPTION_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "journal/follower.h"
#include "journal/storage/storage.h"
#include "tools/cli/base/console.h"
#include "tools/cli/read/unsynced_note.h"
#include "tools/os/folder_watch.h"
#include "tools/os/interrupt.h"
#include "tools/os/stopwatch.h"

namespace tools {

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
  bool GoOn(const FollowedJournal& followed, Console& console);

 private:
  std::string depth_;  // Empty: does not follow.
  bool until_closed_ = false;
  bool has_said_closed_ = false;
  UnsyncedNote unsynced_;
  Stopwatch stopwatch_;
};

}  // namespace tools

#endif  // TOOLS_CLI_READ_FOLLOW_OPTION_H_
