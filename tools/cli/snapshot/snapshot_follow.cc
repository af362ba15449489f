#include "tools/cli/snapshot/snapshot_follow.h"

#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "journal/follower.h"
#include "journal/record.h"
#include "journal/storage/storage.h"
#include "replay/engines.h"
#include "replay/snapshot/snapshot_store.h"
#include "replay/snapshot/snapshot_taker.h"
#include "tools/cli/base/applications.h"
#include "tools/cli/base/build_id.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/base/report.h"
#include "tools/cli/read/follow.h"
#include "tools/cli/read/snapshots.h"
#include "tools/os/folder_watch.h"
#include "tools/os/interrupt.h"
#include "tools/os/stopwatch.h"

namespace tools {
namespace {

std::unique_ptr<replay::Machine> MakeFast() {
  return replay::MakeEngine(replay::EngineKind::kFast);
}

absl::Status Check(const SnapshotFollowOptions& options) {
  if (options.every_records == 0 && options.every_minutes == 0) {
    return absl::InvalidArgumentError(
        "--every-records and --every-minutes are both 0: expected one of them above");
  }
  if (options.keep == 1) {
    return absl::InvalidArgumentError("--keep 1: expected 0 (all) or at least 2");
  }
  return absl::OkStatus();
}

// Takes due snapshots, and removes those beyond the number to keep.
class Keeper {
 public:
  Keeper(const SnapshotFollowOptions& options, const journal::Uuid& journal_uuid,
         journal::Directory& snapshots, replay::StartingPoint& start, Console& console)
      : options_(options),
        journal_uuid_(journal_uuid),
        snapshots_(snapshots),
        taker_(start, journal_uuid, BuildId()),
        last_taken_(taker_.last_applied()),
        console_(console) {}

  absl::Status Apply(const journal::Record& record) {
    taker_.Apply(record);
    if (!taker_.can_take() || !IsDue()) return absl::OkStatus();
    const Stopwatch taking;
    RETURN_IF_ERROR(taker_.Take(snapshots_, MakeFast));
    last_taken_ = taker_.last_applied();
    since_last_.emplace();
    ++taken_count_;
    Print(taking.Seconds());
    return RemoveOld();
  }

  engine::SequenceNumber last_applied() const { return taker_.last_applied(); }
  uint64_t taken_count() const { return taken_count_; }

 private:
  bool IsDue() const {
    const bool by_records = options_.every_records != 0 &&
                            taker_.last_applied() - last_taken_ >= options_.every_records;
    const bool by_time = options_.every_minutes != 0 &&
                         since_last_->Seconds() >= 60 * static_cast<double>(options_.every_minutes);
    return by_records || by_time;
  }

  void Print(double seconds) {
    Report report("ticktape.snapshot_taken/1");
    report.Row(absl::StrCat("@", last_taken_.value()), "taken and proven in ",
               HumanSeconds(seconds));
    report.Field("path", options_.path);
    report.Field("sequence", last_taken_);
    report.Field("seconds", seconds);
    report.PrintTo(console_);
    console_.Flush();
  }

  absl::Status RemoveOld() {
    if (options_.keep == 0) return absl::OkStatus();
    ASSIGN_OR_RETURN(const std::vector<replay::Snapshot> all,
                     replay::ListSnapshots(snapshots_, journal_uuid_));
    uint64_t kept = 0;
    for (const replay::Snapshot& snapshot : all) {
      if (!snapshot.is_proven_and_whole()) continue;
      if (++kept > options_.keep) {
        RETURN_IF_ERROR(replay::RemoveSnapshot(snapshots_, snapshot.sequence));
      }
    }
    return absl::OkStatus();
  }

  const SnapshotFollowOptions& options_;
  const journal::Uuid journal_uuid_;
  journal::Directory& snapshots_;
  replay::SnapshotTaker taker_;
  engine::SequenceNumber last_taken_;
  std::optional<Stopwatch> since_last_ = Stopwatch();
  uint64_t taken_count_ = 0;
  Console& console_;
};

}  // namespace

absl::StatusOr<ExitCode> FollowWithSnapshots(const SnapshotFollowOptions& options,
                                             Console& console) {
  RETURN_IF_ERROR(Check(options));
  ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(options.path));
  RETURN_IF_ERROR(CheckIsOfExchange(opened.reader->info()));
  const journal::JournalInfo& info = opened.reader->info();
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> snapshots,
                   OpenSnapshotsForWriting(options.path));
  ASSIGN_OR_RETURN(replay::StartingPoint start,
                   StartFromSnapshot(*opened.directory, info, info.last_sequence,
                                     replay::EngineKind::kFast, console));
  Keeper keeper(options, info.uuid, *snapshots, start, console);

  const Interrupt interrupt;
  FolderWatch watch(options.path, interrupt);
  ASSIGN_OR_RETURN(
      const std::unique_ptr<journal::Follower> follower,
      journal::Follower::Open(*opened.directory, {.from = keeper.last_applied().Next()}));
  UnsyncedNote unsynced;
  const Stopwatch running;
  absl::Status status;
  RETURN_IF_ERROR(WalkFollowing(
      *follower, watch,
      [&](const journal::Record& record) {
        status = keeper.Apply(record);
        return status.ok();
      },
      [&] {
        if (follower->is_closed()) return !options.until_closed;
        const std::optional<std::string> note =
            unsynced.Check(running.Seconds(), keeper.last_applied(),
                           [&] { return LastWritten(*opened.directory); });
        if (note.has_value()) console.Note("note: ", *note, "; snapshots wait for that");
        return true;
      }));
  RETURN_IF_ERROR(status);
  if (keeper.taken_count() == 0) {
    console.Note("none was due up to @", keeper.last_applied().value());
  }
  return ExitCode::kOk;
}

}  // namespace tools
