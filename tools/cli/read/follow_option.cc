#include "tools/cli/read/follow_option.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "journal/storage/posix_storage.h"
#include "tools/cli/base/options.h"

namespace tools {
namespace {

engine::SequenceNumber LastShown(const journal::Follower& follower) {
  const engine::SequenceNumber next = follower.next_sequence();
  return next == engine::SequenceNumber() ? next : next - 1;
}

}  // namespace

void FollowOption::Declare(Options& options) {
  options.AddFlag(
      "--follow{durable}", depth_,
      "Go on with what is written from now on, until Ctrl-C: what survives the machine,\n"
      "or with --follow=written what survives the process. A writer with --ack=written\n"
      "syncs when its input pauses; until then only --follow=written shows its records");
  options.AddFlag("--until-closed", until_closed_,
                  "With --follow: end when the writer closes the journal");
}

absl::StatusOr<FollowedJournal> FollowOption::Open(const std::string& path) const {
  journal::FollowOptions options;
  if (depth_ == "written") {
    options.depth = journal::FollowDepth::kWritten;
  } else if (depth_ != "durable") {
    return absl::InvalidArgumentError(
        absl::StrCat("--follow=", depth_, ": expected --follow=durable or --follow=written"));
  }
  FollowedJournal followed;
  ASSIGN_OR_RETURN(followed.directory,
                   journal::OpenPosixDirectory(path, journal::DirectoryMode::kReadOnly));
  followed.interrupt = std::make_unique<Interrupt>();
  followed.watch = std::make_unique<FolderWatch>(path, *followed.interrupt);
  ASSIGN_OR_RETURN(followed.follower, journal::Follower::Open(*followed.directory, options));
  return followed;
}

bool FollowOption::GoOn(const FollowedJournal& followed, Console& console) {
  const journal::Follower& follower = *followed.follower;
  if (!follower.is_closed()) {
    has_said_closed_ = false;
    if (depth_ != "durable") return true;
    const std::optional<std::string> said =
        unsynced_.Look(stopwatch_.Seconds(), LastShown(follower),
                       [&] { return LastWritten(*followed.directory); });
    if (said.has_value()) console.Note("note: ", *said, "; --follow=written shows them");
    return true;
  }
  if (until_closed_) return false;
  if (!std::exchange(has_said_closed_, true)) {
    console.Note("the writer has closed the journal before @", follower.next_sequence().value(),
                 "; waiting for one that goes on with it (Ctrl-C ends)");
  }
  return true;
}

}  // namespace tools
