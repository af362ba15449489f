#include "tools/cli/read/follow.h"

#include <algorithm>
#include <span>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "journal/reader.h"
#include "journal/storage/posix_storage.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/options.h"

namespace tools {
namespace {

// Longer than an idle writer takes to sync what it has written.
constexpr double kPauseSeconds = 1.5;
// Limits how often a large journal is opened while nothing happens.
constexpr double kPauseSecondsMax = 60;

}  // namespace

std::optional<std::string> UnsyncedNote::Check(
    double seconds, engine::SequenceNumber shown,
    absl::FunctionRef<engine::SequenceNumber()> written) {
  if (was_given_) return std::nullopt;
  if (shown != shown_ || next_check_ == 0) {
    shown_ = shown;
    was_late_ = false;
    pause_ = kPauseSeconds;
    next_check_ = seconds + pause_;
    return std::nullopt;
  }
  if (seconds < next_check_) return std::nullopt;
  const engine::SequenceNumber last = written();
  // The first time, the records may just have been written.
  if (last > shown && was_late_) {
    was_given_ = true;
    return absl::StrCat(Counted(last - shown, "record"), " after @", shown.value(),
                        " are written, and not durable yet: a writer with --ack=written syncs when "
                        "its input pauses");
  }
  was_late_ = last > shown;
  pause_ = was_late_ ? kPauseSeconds : std::min(2 * pause_, kPauseSecondsMax);
  next_check_ = seconds + pause_;
  return std::nullopt;
}

engine::SequenceNumber LastWritten(const journal::Directory& directory) {
  const auto reader = journal::Reader::Open(directory);
  return reader.ok() ? (*reader)->info().last_readable : engine::SequenceNumber();
}

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

bool FollowOption::ShouldContinue(const FollowedJournal& followed, Console& console) {
  const journal::Follower& follower = *followed.follower;
  if (!follower.is_closed()) {
    has_noted_closed_ = false;
    if (depth_ != "durable") return true;
    const engine::SequenceNumber next = follower.next_sequence();
    const std::optional<std::string> note =
        unsynced_.Check(stopwatch_.Seconds(), next == engine::SequenceNumber() ? next : next - 1,
                        [&] { return LastWritten(*followed.directory); });
    if (note.has_value()) console.Note("note: ", *note, "; --follow=written shows them");
    return true;
  }
  if (until_closed_) return false;
  if (!std::exchange(has_noted_closed_, true)) {
    console.Note("the writer has closed the journal before @", follower.next_sequence().value(),
                 "; waiting for one that goes on with it (Ctrl-C ends)");
  }
  return true;
}

absl::Status WalkFollowing(journal::Follower& follower, Waiter& waiter,
                           absl::FunctionRef<bool(const journal::Record&)> visit,
                           absl::FunctionRef<bool()> idle) {
  while (true) {
    ASSIGN_OR_RETURN(const journal::Batch batch, follower.Poll());
    std::span<const journal::AttachmentView> attachments = batch.attachments;
    for (const journal::Row& row : batch.rows) {
      const engine::Bytes attachment = journal::TakeAttachment(attachments, row.sequence);
      if (!visit({.row = &row, .attachment = attachment})) return absl::OkStatus();
    }
    if (batch.empty() && (!idle() || !waiter.Wait())) return absl::OkStatus();
  }
}

}  // namespace tools
