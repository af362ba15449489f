// ticktape snapshot: stores the state at a position of the journal in a file.

#include "journal/follower.h"
#include "journal/log_digest.h"
#include "journal/prefix_digests.h"
#include "replay/checked_replay.h"
#include "replay/exchange_state.h"
#include "replay/snapshot/snapshot_entities.h"
#include "replay/snapshot/snapshot_file.h"
#include "replay/snapshot/snapshot_store.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/build_id.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/read/follow.h"
#include "tools/cli/read/replay_report.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/read/snapshots.h"
#include "tools/os/clocks.h"
#include "tools/os/folder_watch.h"
#include "tools/os/signals.h"

namespace tools {
namespace {

using engine::SequenceNumber;
using Snapshots = std::vector<replay::Snapshot>;

std::unique_ptr<replay::Machine> MakeFast() {
  return replay::MakeEngine(replay::EngineKind::kFast);
}

absl::StatusOr<SequenceNumber> ResolveOrEnd(const std::string& position, journal::Reader& reader) {
  if (position.empty()) {
    RETURN_IF_ERROR(reader.CheckEnd());
    return reader.info().last_sequence;
  }
  return ResolvePosition(position, reader);
}

// Where to begin for a snapshot at or before `at_most`: with what a venue remembers, unless the
// journal has lost that.
absl::StatusOr<replay::StartingPoint> StartToSave(const OpenedJournal& opened,
                                                  SequenceNumber at_most, Console& console) {
  const journal::JournalInfo& info = opened.reader->info();
  auto start = StartFromSnapshot(*opened.directory, info, at_most, replay::EngineKind::kFast,
                                 console, replay::WithMemory::kYes);
  if (!absl::IsFailedPrecondition(start.status())) return start;
  return StartFromSnapshot(*opened.directory, info, at_most, replay::EngineKind::kFast, console);
}

// Returns the journal's snapshots, newest first.
absl::StatusOr<Snapshots> List(const OpenedJournal& opened) {
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> snapshots,
                   OpenSnapshots(opened.directory->path()));
  if (snapshots == nullptr) return Snapshots();
  return replay::ListSnapshots(*snapshots, opened.reader->info().uuid);
}

// Returns the one at `position`. Errors: INVALID_ARGUMENT if there is none.
absl::StatusOr<replay::Snapshot> FindAt(const std::string& position, const Snapshots& all,
                                        const OpenedJournal& opened) {
  ASSIGN_OR_RETURN(const SequenceNumber at, ResolveOrEnd(position, *opened.reader));
  const auto found = std::ranges::find(all, at, &replay::Snapshot::sequence);
  if (found != all.end()) return *found;
  return absl::InvalidArgumentError(absl::StrCat(opened.directory->path(), " has no snapshot at @",
                                                 at.value(),
                                                 "; 'ticktape snapshot list' shows them"));
}

void WriteSnapshot(JsonObject& json, const replay::Snapshot& snapshot) {
  json.Field("file", snapshot.file_name);
  json.Field("sequence", snapshot.sequence);
  json.Field("proven", snapshot.is_proven_and_whole());
  if (!snapshot.damage.empty()) return json.Field("damage", snapshot.damage);
  json.Field("time", snapshot.header.time);
  json.Field("bytes", snapshot.file_bytes);
  json.Field("state_digest", snapshot.header.state);
  json.Field("trace_digest", snapshot.header.trace);
  json.Field("log_digest", snapshot.header.log);
  json.Field("engine", snapshot.header.engine);
  json.Field("build", snapshot.header.build);
}

std::string Summary(const replay::Snapshot& snapshot) {
  if (!snapshot.damage.empty()) return absl::StrCat("damaged: ", snapshot.damage);
  return absl::StrCat(snapshot.header.time.ToString(), ", ", HumanBytes(snapshot.file_bytes),
                      snapshot.is_proven ? ", proven" : ", not proven");
}

std::string Describe(const replay::SnapshotVerdict& verdict, const journal::JournalInfo& info) {
  if (verdict.has_recorded_run) return "restored, equal";
  if (verdict.is_of_journal) {
    return "restored, of this log; the recorded run left no digests to compare the state with";
  }
  return absl::StrCat("restored; not compared, as the journal begins at @",
                      info.first_sequence.value());
}

constexpr char kExamples[] =
    R"(  ticktape snapshot make a.tape                at the last whole 4,096 records
  ticktape snapshot make a.tape @1000000       at or before that record
  ticktape snapshot list a.tape
  ticktape snapshot verify a.tape              restores each one and compares
  ticktape snapshot restore a.tape @2500000    the state there, from the nearest one
  ticktape snapshot diff a.tape @409600 @819200
  ticktape snapshot follow live.tape --every-records 1000000 --every-minutes 10

Snapshots stand in JOURNAL/snapshots, at multiples of 4,096. One counts once it has
been restored into a fresh engine and its digest compared, which 'make' and 'follow'
do, and only where the records before it have the log digest that it names.
They replay the journal: the live engine never stops for them. They hold
durable records only; a writer with --ack=written syncs when its input pauses.)";

class SnapshotVerb final : public Verb {
 public:
  SnapshotVerb()
      : Verb("snapshot", "Save the state at a place of a journal, and go on from there",
             kExamples) {}

  void Declare(Options& options) override {
    AddAction(options, "make", "Take one, and prove it", &SnapshotVerb::Make)
        .Add("position", position_, "At or before; default: the end")
        .Type("POSITION");
    AddAction(options, "list", "Show them", &SnapshotVerb::ShowList);
    AddAction(options, "restore", "Bring the state back, from the nearest snapshot before",
              &SnapshotVerb::Restore)
        .Add("position", position_, "Where; default: the end")
        .Type("POSITION");
    AddAction(options, "verify", "Restore each, and compare with the journal",
              &SnapshotVerb::Verify)
        .Add("position", position_, "That one only")
        .Type("POSITION");
    Options& diff = AddAction(
        options, "diff", "What two of them say differently; prices and quantities in raw units",
        &SnapshotVerb::Diff);
    diff.Add("from", position_, "One").Required().Type("POSITION");
    diff.Add("to", other_, "The other").Required().Type("POSITION");
    Options& follow = AddAction(options, "follow", "Take them while a journal grows, until Ctrl-C",
                                &SnapshotVerb::Follow);
    follow.Add("--every-records", every_records_, "After so many; 0: never")
        .Type("N")
        .ShowDefault();
    follow.Add("--every-minutes", every_minutes_, "After so long; 0: never")
        .Type("T")
        .ShowDefault();
    follow.Add("--keep", keep_, "Only the newest K, at least 2; 0: all").Type("K").ShowDefault();
    follow.AddFlag("--until-closed", until_closed_, "End when the writer closes the journal");
  }

  absl::StatusOr<ExitCode> Run(Console& console) override {
    RETURN_IF_ERROR(CheckFollowOptions());
    ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(path_));
    RETURN_IF_ERROR(CheckIsOfExchange(opened.reader->info()));
    const auto chosen =
        std::ranges::find_if(actions_, [](const auto& action) { return action.first->chosen(); });
    return (this->*chosen->second)(opened, console);
  }

 private:
  using RunAction = absl::StatusOr<ExitCode> (SnapshotVerb::*)(const OpenedJournal&,
                                                               Console&) const;

  Options& AddAction(Options& options, const char* name, const char* what, RunAction run) {
    Options& action = options.AddAction(name, what);
    action.Add("journal", path_, "The journal's folder").Required().Type("JOURNAL");
    actions_.emplace_back(&action, run);
    return action;
  }

  absl::Status CheckFollowOptions() const {
    if (every_records_ == 0 && every_minutes_ == 0) {
      return absl::InvalidArgumentError(
          "--every-records and --every-minutes are both 0: expected one of them above");
    }
    if (keep_ == 1) {
      return absl::InvalidArgumentError("--keep 1: expected 0 (all) or at least 2");
    }
    return absl::OkStatus();
  }

  absl::StatusOr<ExitCode> Make(const OpenedJournal& opened, Console& console) const {
    const journal::JournalInfo& info = opened.reader->info();
    ASSIGN_OR_RETURN(SequenceNumber wanted, ResolveOrEnd(position_, *opened.reader));
    // A snapshot must not contain records that a crash may still lose.
    if (!info.sealed) wanted = std::min(wanted, info.durable_sequence);
    const SequenceNumber at = journal::CompleteRunsEnd(wanted);
    if (at == SequenceNumber() || at.Next() < info.first_sequence) {
      return absl::OutOfRangeError(absl::StrCat(
          path_, " has no place for a snapshot at or before @", wanted.value(),
          ": snapshots stand at multiples of ", journal::kCheckpointInterval, " that are durable"));
    }
    ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> snapshots,
                     OpenSnapshotsForWriting(path_));
    ASSIGN_OR_RETURN(replay::StartingPoint start, StartToSave(opened, at, console));
    replay::SnapshotTaker taker(start, info.uuid, BuildId());
    Progress progress(console, "snapshot", "records", at.value());
    RETURN_IF_ERROR(taker.ApplyUntil(
        at, *opened.reader, [&](SequenceNumber applied) { progress.Update(applied.value()); }));
    ASSIGN_OR_RETURN(const replay::Snapshot taken, taker.Take(*snapshots, MakeFast));
    const double seconds = progress.Seconds();
    progress.Clear();
    Report report("ticktape.snapshot_make/1");
    report.Row(absl::StrCat("@", at.value()), Summary(taken), ", in ", HumanSeconds(seconds));
    report.Field("path", path_);
    WriteSnapshot(report, taken);
    report.Field("seconds", seconds);
    report.PrintTo(console);
    return ExitCode::kOk;
  }

  absl::StatusOr<ExitCode> ShowList(const OpenedJournal& opened, Console& console) const {
    ASSIGN_OR_RETURN(const Snapshots all, List(opened));
    // Read again after listing, because a writer may be active.
    ASSIGN_OR_RETURN(const OpenedJournal later, OpenJournal(path_));
    const SequenceNumber end = later.reader->info().last_readable;
    if (all.empty() && !console.json()) {
      console.Note(path_, " has no snapshots; 'ticktape snapshot make' takes one");
    }
    Report report("ticktape.snapshots/1");
    report.Field("path", path_);
    report.Objects("snapshots", all, [&](const replay::Snapshot& snapshot) {
      const bool is_after_end = snapshot.sequence > end;
      report.Row(absl::StrCat("@", snapshot.sequence.value()), Summary(snapshot),
                 is_after_end ? ", after the journal's end" : "");
      WriteSnapshot(report, snapshot);
      report.Field("after_end", is_after_end);
    });
    report.PrintTo(console);
    return ExitCode::kOk;
  }

  absl::StatusOr<ExitCode> Restore(const OpenedJournal& opened, Console& console) const {
    ASSIGN_OR_RETURN(const SequenceNumber at, ResolveOrEnd(position_, *opened.reader));
    Progress progress(console, "restore", "records", at.value());
    ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> snapshots, OpenSnapshots(path_));
    journal::PrefixDigests digests(*opened.directory);
    ASSIGN_OR_RETURN(const replay::StartingPoint state,
                     replay::OpenState(snapshots.get(), digests, *opened.reader, at, MakeFast));
    const double seconds = progress.Seconds();
    progress.Clear();
    for (const std::string& warning : state.warnings) console.Note("warning: ", warning);
    Report report("ticktape.snapshot_restore/1");
    report.Row("state at", "@", at, ", in ", HumanSeconds(seconds));
    report.Row("from", state.snapshot.has_value()
                           ? absl::StrCat("the snapshot at @", state.last_applied().value())
                           : "the first record");
    report.Field("path", path_);
    report.Field("sequence", at);
    report.Field("snapshot", state.last_applied());
    report.Fact("live orders", "live_orders",
                replay::ExchangeOf(*state.machine).live_order_count());
    report.Fact("state digest", "state_digest", state.machine->StateDigest());
    report.Field("seconds", seconds);
    report.PrintTo(console);
    return ExitCode::kOk;
  }

  absl::StatusOr<ExitCode> Verify(const OpenedJournal& opened, Console& console) const {
    const journal::JournalInfo& info = opened.reader->info();
    ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> snapshots, OpenSnapshots(path_));
    ASSIGN_OR_RETURN(Snapshots all, List(opened));
    if (!position_.empty()) {
      ASSIGN_OR_RETURN(replay::Snapshot only, FindAt(position_, all, opened));
      all = {std::move(only)};
    }
    Report report("ticktape.snapshot_verify/1");
    report.Field("path", path_);
    report.BeginArray("snapshots");
    bool is_damaged = false;
    journal::PrefixDigests digests(*opened.directory);
    for (const replay::Snapshot& snapshot : all) {
      ASSIGN_OR_RETURN(
          const std::optional<replay::SnapshotVerdict> verdict,
          replay::VerifySnapshot(*snapshots, snapshot, MakeFast(), *opened.reader, digests, [&] {
            return RecordedCheckpoints(*opened.directory, info, console);
          }));
      if (!verdict.has_value()) {
        console.Note("note: the snapshot at @", snapshot.sequence.value(),
                     " was removed meanwhile");
        continue;
      }
      const std::string& wrong = verdict->wrong;
      is_damaged |= !wrong.empty();
      report.BeginElement();
      report.Field("sequence", snapshot.sequence);
      report.Field("sound", wrong.empty());
      report.Field("compared_with", verdict->has_recorded_run ? "recorded run"
                                    : verdict->is_of_journal  ? "log"
                                                              : "nothing");
      report.Field("eligible", snapshot.is_proven_and_whole() && verdict->is_of_journal);
      if (!wrong.empty()) report.Field("damage", wrong);
      report.EndElement();
      report.Row(absl::StrCat("@", snapshot.sequence.value()),
                 wrong.empty() ? ConsoleText::Of(Describe(*verdict, info),
                                                 snapshot.is_proven ? "" : "; unproven")
                               : Styled(Style::kRed, wrong));
    }
    report.EndArray();
    report.PrintTo(console);
    if (all.empty()) console.Note(path_, " has no snapshots");
    return is_damaged ? ExitCode::kDamaged : ExitCode::kOk;
  }

  absl::StatusOr<ExitCode> Diff(const OpenedJournal& opened, Console& console) const {
    ASSIGN_OR_RETURN(const Snapshots all, List(opened));
    ASSIGN_OR_RETURN(const replay::SnapshotEntities before, EntitiesAt(position_, all, opened));
    ASSIGN_OR_RETURN(const replay::SnapshotEntities after, EntitiesAt(other_, all, opened));
    Report report("ticktape.snapshot_diff/1");
    report.Field("path", path_);
    const std::vector<replay::EntityChange> changes = replay::CompareEntities(before, after);
    report.Objects("differences", changes, [&](const replay::EntityChange& change) {
      const auto& [key, was, is] = change;
      report.Field("entity", key);
      report.Field("before", was);
      report.Field("after", is);
      if (was.has_value()) report.Line(Styled(Style::kRed, absl::StrCat("- ", key, " ", *was)));
      if (is.has_value()) report.Line(Styled(Style::kGreen, absl::StrCat("+ ", key, " ", *is)));
    });
    report.PrintTo(console);
    return changes.empty() ? ExitCode::kOk : ExitCode::kDifferent;
  }

  absl::StatusOr<replay::SnapshotEntities> EntitiesAt(const std::string& position,
                                                      const Snapshots& all,
                                                      const OpenedJournal& opened) const {
    ASSIGN_OR_RETURN(const replay::Snapshot found, FindAt(position, all, opened));
    ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> snapshots, OpenSnapshots(path_));
    ASSIGN_OR_RETURN(const auto reader,
                     replay::SnapshotFileReader::Open(*snapshots, found.file_name));
    return replay::ReadEntities(*reader);
  }

  // Takes snapshots while the journal grows: a separate process replays the durable records and
  // saves its state at the first multiple of 4096 records at which either interval has passed. The
  // writer is not involved.
  absl::StatusOr<ExitCode> Follow(const OpenedJournal& opened, Console& console) const {
    const journal::JournalInfo& info = opened.reader->info();
    ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> snapshots,
                     OpenSnapshotsForWriting(path_));
    ASSIGN_OR_RETURN(replay::StartingPoint start, StartToSave(opened, info.last_sequence, console));
    replay::SnapshotTaker taker(start, info.uuid, BuildId());
    SequenceNumber last_taken = taker.last_applied();
    Stopwatch since_last;
    const auto is_due = [&] {
      const bool by_records =
          every_records_ != 0 && taker.last_applied() - last_taken >= every_records_;
      const bool by_time =
          every_minutes_ != 0 && since_last.Seconds() >= 60 * static_cast<double>(every_minutes_);
      return by_records || by_time;
    };
    const auto take_if_due = [&]() -> absl::Status {
      if (!taker.can_take() || !is_due()) return absl::OkStatus();
      const Stopwatch taking;
      RETURN_IF_ERROR(taker.Take(*snapshots, MakeFast).status());
      last_taken = taker.last_applied();
      since_last.Restart();
      PrintTaken(last_taken, taking.Seconds(), console);
      return RemoveOld(*snapshots, info.uuid);
    };

    const Interrupt interrupt;
    FolderWatch watch(path_, interrupt);
    ASSIGN_OR_RETURN(
        const std::unique_ptr<journal::Follower> follower,
        journal::Follower::Open(*opened.directory, {.from = taker.last_applied().Next()}));
    UnsyncedNote unsynced;
    const Stopwatch running;
    absl::Status status;
    RETURN_IF_ERROR(WalkFollowing(
        *follower, watch,
        [&](const journal::Record& record) {
          taker.Apply(record);
          status = take_if_due();
          return status.ok();
        },
        [&] {
          if (follower->is_closed()) return !until_closed_;
          const std::optional<std::string> note =
              unsynced.Check(running.Seconds(), taker.last_applied(),
                             [&] { return LastWritten(*opened.directory); });
          if (note.has_value()) console.Note("note: ", *note, "; snapshots wait for that");
          return true;
        }));
    RETURN_IF_ERROR(status);
    if (last_taken == start.last_applied()) {
      console.Note("none was due up to @", taker.last_applied().value());
    }
    return ExitCode::kOk;
  }

  void PrintTaken(SequenceNumber at, double seconds, Console& console) const {
    Report report("ticktape.snapshot_taken/1");
    report.Row(absl::StrCat("@", at.value()), "taken and proven in ", HumanSeconds(seconds));
    report.Field("path", path_);
    report.Field("sequence", at);
    report.Field("seconds", seconds);
    report.PrintTo(console);
    console.Flush();
  }

  absl::Status RemoveOld(journal::Directory& snapshots, const journal::Uuid& journal_uuid) const {
    if (keep_ == 0) return absl::OkStatus();
    ASSIGN_OR_RETURN(const Snapshots all, replay::ListSnapshots(snapshots, journal_uuid));
    uint64_t kept = 0;
    for (const replay::Snapshot& snapshot : all) {
      if (!snapshot.is_proven_and_whole() || ++kept <= keep_) continue;
      RETURN_IF_ERROR(replay::RemoveSnapshot(snapshots, snapshot.sequence));
    }
    return absl::OkStatus();
  }

  std::vector<std::pair<const Options*, RunAction>> actions_;
  std::string path_;
  std::string position_;
  std::string other_;
  uint64_t every_records_ = 1'000'000;  // 0: no limit.
  uint64_t every_minutes_ = 10;         // 0: no limit.
  uint64_t keep_ = 0;                   // The number of newest proven snapshots to keep; 0: all.
  bool until_closed_ = false;
};

}  // namespace

std::unique_ptr<Verb> MakeSnapshotVerb() { return std::make_unique<SnapshotVerb>(); }

}  // namespace tools
