// ticktape snapshot: stores the state at a position of the journal in a file.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "journal/digest_sidecar.h"
#include "journal/log_digest.h"
#include "journal/prefix_digests.h"
#include "replay/checked_replay.h"
#include "replay/engines.h"
#include "replay/exchange_state.h"
#include "replay/snapshot/snapshot_file.h"
#include "replay/snapshot/snapshot_store.h"
#include "replay/snapshot/snapshot_taker.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/applications.h"
#include "tools/cli/base/build_id.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/read/replay_report.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/read/snapshot_entities.h"
#include "tools/cli/read/snapshots.h"
#include "tools/cli/snapshot/snapshot_follow.h"
#include "tools/cli/snapshot/verbs.h"

namespace tools {
namespace {

using engine::SequenceNumber;

std::unique_ptr<replay::Machine> MakeFast() {
  return replay::MakeEngine(replay::EngineKind::kFast);
}

// What a snapshot was compared with, and what is wrong with it.
struct Verified {
  std::string wrong;              // Empty: no error.
  bool is_of_journal = false;     // Its log digest equals the journal's.
  bool has_recorded_run = false;  // Its trace or state digest equals the recorded run's.

  const char* compared_with() const {
    return has_recorded_run ? "recorded run" : is_of_journal ? "log" : "nothing";
  }
};

class SnapshotVerb final : public Verb {
 public:
  const char* name() const override { return "snapshot"; }
  const char* summary() const override {
    return "Save the state at a place of a journal, and go on from there";
  }
  const char* examples() const override {
    return "  ticktape snapshot make a.tape                at the last whole 4,096 records\n"
           "  ticktape snapshot make a.tape @1000000       at or before that record\n"
           "  ticktape snapshot list a.tape\n"
           "  ticktape snapshot verify a.tape              restores each one and compares\n"
           "  ticktape snapshot restore a.tape @2500000    the state there, from the nearest one\n"
           "  ticktape snapshot diff a.tape @409600 @819200\n"
           "  ticktape snapshot follow live.tape --every-records 1000000 --every-minutes 10\n"
           "\n"
           "Snapshots stand in JOURNAL/snapshots, at multiples of 4,096. One counts once it has\n"
           "been restored into a fresh engine and its digest compared, which 'make' and 'follow'\n"
           "do, and only where the records before it have the log digest that it names.\n"
           "They replay the journal: the live engine never stops for them. They hold\n"
           "durable records only; a writer with --ack=written syncs when its input pauses.";
  }
  void Declare(Options& options) override;
  absl::StatusOr<ExitCode> Run(Console& console) override;

 private:
  Options* Add(Options& options, const char* name, const char* what);

  absl::StatusOr<ExitCode> Make(Console& console) const;
  absl::StatusOr<ExitCode> List(Console& console) const;
  absl::StatusOr<ExitCode> Restore(Console& console) const;
  absl::StatusOr<ExitCode> Verify(Console& console) const;
  absl::StatusOr<ExitCode> Diff(Console& console) const;

  absl::StatusOr<std::vector<replay::Snapshot>> Find(const journal::Reader& reader) const;
  absl::StatusOr<std::optional<Verified>> VerifyOne(const OpenedJournal& opened,
                                                    const journal::Directory& snapshots,
                                                    const replay::Snapshot& snapshot,
                                                    journal::PrefixDigests& digests,
                                                    Console& console) const;

  Options* make_ = nullptr;
  Options* list_ = nullptr;
  Options* restore_ = nullptr;
  Options* verify_ = nullptr;
  Options* diff_ = nullptr;
  Options* follow_ = nullptr;
  std::string path_;
  std::string position_;
  std::string other_;
  SnapshotFollowOptions follow_options_;
};

Options* SnapshotVerb::Add(Options& options, const char* name, const char* what) {
  Options* const action = &options.AddAction(name, what);
  action->Add("journal", path_, "The journal's folder").Required().Type("JOURNAL");
  return action;
}

void SnapshotVerb::Declare(Options& options) {
  make_ = Add(options, "make", "Take one, and prove it");
  list_ = Add(options, "list", "Show them");
  restore_ = Add(options, "restore", "Bring the state back, from the nearest snapshot before");
  verify_ = Add(options, "verify", "Restore each, and compare with the journal");
  diff_ =
      Add(options, "diff", "What two of them say differently; prices and quantities in raw units");
  follow_ = Add(options, "follow", "Take them while a journal grows, until Ctrl-C");
  make_->Add("position", position_, "At or before; default: the end").Type("POSITION");
  restore_->Add("position", position_, "Where; default: the end").Type("POSITION");
  verify_->Add("position", position_, "That one only").Type("POSITION");
  diff_->Add("from", position_, "One").Required().Type("POSITION");
  diff_->Add("to", other_, "The other").Required().Type("POSITION");
  follow_->Add("--every-records", follow_options_.every_records, "After so many; 0: never")
      .Type("N")
      .ShowDefault();
  follow_->Add("--every-minutes", follow_options_.every_minutes, "After so long; 0: never")
      .Type("T")
      .ShowDefault();
  follow_->Add("--keep", follow_options_.keep, "Only the newest K, at least 2; 0: all")
      .Type("K")
      .ShowDefault();
  follow_->AddFlag("--until-closed", follow_options_.until_closed,
                   "End when the writer closes the journal");
}

absl::StatusOr<ExitCode> SnapshotVerb::Run(Console& console) {
  if (make_->chosen()) return Make(console);
  if (list_->chosen()) return List(console);
  if (restore_->chosen()) return Restore(console);
  if (verify_->chosen()) return Verify(console);
  if (diff_->chosen()) return Diff(console);
  follow_options_.path = path_;
  return FollowWithSnapshots(follow_options_, console);
}

absl::StatusOr<SequenceNumber> ResolveOrEnd(const std::string& position, journal::Reader& reader) {
  if (position.empty()) {
    RETURN_IF_ERROR(reader.CheckEnd());
    return reader.info().last_sequence;
  }
  ASSIGN_OR_RETURN(const Position parsed, ParsePosition(position));
  return Resolve(parsed, reader);
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

absl::StatusOr<ExitCode> SnapshotVerb::Make(Console& console) const {
  ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(path_));
  RETURN_IF_ERROR(CheckIsOfExchange(opened.reader->info()));
  const journal::JournalInfo& info = opened.reader->info();
  ASSIGN_OR_RETURN(SequenceNumber wanted, ResolveOrEnd(position_, *opened.reader));
  // A snapshot must not contain records that a crash may still lose.
  if (!info.sealed) wanted = std::min(wanted, info.durable_sequence);
  const SequenceNumber at = journal::CompleteRunsEnd(wanted);
  if (at == SequenceNumber() || at.Next() < info.first_sequence) {
    return absl::OutOfRangeError(absl::StrCat(path_, " has no place for a snapshot at or before @",
                                              wanted.value(), ": snapshots stand at multiples of ",
                                              journal::kCheckpointInterval, " that are durable"));
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> snapshots,
                   OpenSnapshotsForWriting(path_));
  ASSIGN_OR_RETURN(
      replay::StartingPoint start,
      StartFromSnapshot(*opened.directory, info, at, replay::EngineKind::kFast, console));
  replay::SnapshotTaker taker(start, info.uuid, BuildId());
  RETURN_IF_ERROR(opened.reader->SeekToSequence(taker.last_applied().Next()));
  Progress progress(console, "snapshot", "records", at.value());
  while (taker.last_applied() < at) {
    ASSIGN_OR_RETURN(const std::optional<journal::Record> record, opened.reader->Next());
    if (!record.has_value()) return absl::DataLossError(absl::StrCat(path_, " ends too early"));
    taker.Apply(*record);
    progress.Update(taker.last_applied().value());
  }
  RETURN_IF_ERROR(taker.Take(*snapshots, MakeFast));
  const double seconds = progress.Seconds();
  progress.Clear();
  ASSIGN_OR_RETURN(const std::vector<replay::Snapshot> all,
                   replay::ListSnapshots(*snapshots, info.uuid));
  for (const replay::Snapshot& snapshot : all) {
    if (snapshot.sequence != at) continue;
    Report report("ticktape.snapshot_make/1");
    report.Row(absl::StrCat("@", at.value()), Summary(snapshot), ", in ", HumanSeconds(seconds));
    report.Field("path", path_);
    WriteSnapshot(report, snapshot);
    report.Field("seconds", seconds);
    report.PrintTo(console);
  }
  return ExitCode::kOk;
}

// Returns the snapshots, newest first; if `position_` is given, only those there.
absl::StatusOr<std::vector<replay::Snapshot>> SnapshotVerb::Find(
    const journal::Reader& reader) const {
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> snapshots, OpenSnapshots(path_));
  if (snapshots == nullptr) return std::vector<replay::Snapshot>();
  return replay::ListSnapshots(*snapshots, reader.info().uuid);
}

absl::StatusOr<ExitCode> SnapshotVerb::List(Console& console) const {
  ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(path_));
  RETURN_IF_ERROR(CheckIsOfExchange(opened.reader->info()));
  ASSIGN_OR_RETURN(const std::vector<replay::Snapshot> all, Find(*opened.reader));
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

absl::StatusOr<ExitCode> SnapshotVerb::Restore(Console& console) const {
  ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(path_));
  RETURN_IF_ERROR(CheckIsOfExchange(opened.reader->info()));
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
  report.Fact("live orders", "live_orders", replay::ExchangeOf(*state.machine).live_order_count());
  report.Fact("state digest", "state_digest", state.machine->StateDigest());
  report.Field("seconds", seconds);
  report.PrintTo(console);
  return ExitCode::kOk;
}

// Returns nullopt if the snapshot was removed since it was listed.
absl::StatusOr<std::optional<Verified>> SnapshotVerb::VerifyOne(const OpenedJournal& opened,
                                                                const journal::Directory& snapshots,
                                                                const replay::Snapshot& snapshot,
                                                                journal::PrefixDigests& digests,
                                                                Console& console) const {
  const auto wrong = [](std::string text) {
    return std::optional<Verified>({.wrong = std::move(text)});
  };
  replay::StartingPoint start{.machine = MakeFast(), .snapshot = snapshot.header, .warnings = {}};
  const absl::Status restored = replay::RestoreSnapshot(snapshots, snapshot, *start.machine);
  if (absl::IsNotFound(restored)) return std::optional<Verified>();
  if (!restored.ok()) return wrong(std::string(restored.message()));
  start.machine->CheckInvariants();
  const journal::JournalInfo& info = opened.reader->info();
  if (snapshot.sequence > info.last_readable) return wrong("after the journal's end");
  if (snapshot.sequence.Next() < info.first_sequence) return std::optional(Verified());
  const absl::Status is_of_journal = digests.Check(snapshot.sequence, snapshot.header.log);
  if (absl::IsFailedPrecondition(is_of_journal)) return wrong(std::string(is_of_journal.message()));
  RETURN_IF_ERROR(is_of_journal);
  const std::vector<journal::Checkpoint> recorded =
      RecordedCheckpoints(*opened.directory, info, console);
  replay::CheckpointCheck here(recorded);
  here.Compare(replay::CheckpointOf(snapshot.header));
  if (here.divergence().has_value()) return wrong(here.divergence()->ToString());
  // Replays one more run, whose digests show whether the state continues equally.
  const SequenceNumber last =
      std::min(snapshot.sequence + journal::kCheckpointInterval, info.last_sequence);
  ASSIGN_OR_RETURN(const replay::CheckedReplay replayed,
                   replay::ReplayCheckedFrom(start, *opened.reader, recorded, last,
                                             [](const journal::Record&, auto) {}));
  if (replayed.divergence.has_value()) return wrong(replayed.divergence->ToString());
  Verified verified{.wrong = {}, .is_of_journal = true};
  for (const replay::DigestCounts& compared :
       {here.digests_compared(), replayed.digests_compared}) {
    verified.has_recorded_run |= compared.trace > 0 || compared.state > 0;
  }
  return std::optional(verified);
}

std::string Describe(const Verified& verified, const journal::JournalInfo& info) {
  if (verified.has_recorded_run) return "restored, equal";
  if (verified.is_of_journal) {
    return "restored, of this log; the recorded run left no digests to compare the state with";
  }
  return absl::StrCat("restored; not compared, as the journal begins at @",
                      info.first_sequence.value());
}

absl::StatusOr<ExitCode> SnapshotVerb::Verify(Console& console) const {
  ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(path_));
  RETURN_IF_ERROR(CheckIsOfExchange(opened.reader->info()));
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> snapshots, OpenSnapshots(path_));
  ASSIGN_OR_RETURN(std::vector<replay::Snapshot> all, Find(*opened.reader));
  if (!position_.empty()) {
    ASSIGN_OR_RETURN(const SequenceNumber at, ResolveOrEnd(position_, *opened.reader));
    std::erase_if(all, [&](const replay::Snapshot& snapshot) { return snapshot.sequence != at; });
    if (all.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(path_, " has no snapshot at @", at.value(),
                                                     "; 'ticktape snapshot list' shows them"));
    }
  }
  Report report("ticktape.snapshot_verify/1");
  report.Field("path", path_);
  report.BeginArray("snapshots");
  bool is_damaged = false;
  journal::PrefixDigests digests(*opened.directory);
  for (const replay::Snapshot& snapshot : all) {
    ASSIGN_OR_RETURN(const std::optional<Verified> verified,
                     VerifyOne(opened, *snapshots, snapshot, digests, console));
    if (!verified.has_value()) {
      console.Note("note: the snapshot at @", snapshot.sequence.value(), " was removed meanwhile");
      continue;
    }
    const std::string& wrong = verified->wrong;
    is_damaged |= !wrong.empty();
    report.BeginElement();
    report.Field("sequence", snapshot.sequence);
    report.Field("sound", wrong.empty());
    report.Field("compared_with", verified->compared_with());
    report.Field("eligible", snapshot.is_proven_and_whole() && verified->is_of_journal);
    if (!wrong.empty()) report.Field("damage", wrong);
    report.EndElement();
    report.Row(absl::StrCat("@", snapshot.sequence.value()),
               wrong.empty() ? ConsoleText::Of(Describe(*verified, opened.reader->info()),
                                               snapshot.is_proven ? "" : "; unproven")
                             : Styled(Style::kRed, wrong));
  }
  report.EndArray();
  report.PrintTo(console);
  if (all.empty()) console.Note(path_, " has no snapshots");
  return is_damaged ? ExitCode::kDamaged : ExitCode::kOk;
}

absl::StatusOr<ExitCode> SnapshotVerb::Diff(Console& console) const {
  ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(path_));
  RETURN_IF_ERROR(CheckIsOfExchange(opened.reader->info()));
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> snapshots, OpenSnapshots(path_));
  ASSIGN_OR_RETURN(const std::vector<replay::Snapshot> all, Find(*opened.reader));
  SnapshotEntities entities[2];
  for (int i = 0; i < 2; ++i) {
    ASSIGN_OR_RETURN(const SequenceNumber at,
                     ResolveOrEnd(i == 0 ? position_ : other_, *opened.reader));
    const auto found = std::find_if(all.begin(), all.end(), [&](const replay::Snapshot& snapshot) {
      return snapshot.sequence == at;
    });
    if (found == all.end()) {
      return absl::InvalidArgumentError(absl::StrCat(path_, " has no snapshot at @", at.value(),
                                                     "; 'ticktape snapshot list' shows them"));
    }
    ASSIGN_OR_RETURN(const auto reader,
                     replay::SnapshotFileReader::Open(*snapshots, found->file_name));
    ASSIGN_OR_RETURN(entities[i], ReadEntities(*reader));
  }
  Report report("ticktape.snapshot_diff/1");
  report.Field("path", path_);
  report.BeginArray("differences");
  uint64_t count = 0;
  const auto add = [&](const std::string& key, const std::string* before,
                       const std::string* after) {
    ++count;
    report.BeginElement();
    report.Field("entity", key);
    if (before != nullptr) {
      report.Line(Styled(Style::kRed, absl::StrCat("- ", key, " ", *before)));
      report.Field("before", *before);
    }
    if (after != nullptr) {
      report.Line(Styled(Style::kGreen, absl::StrCat("+ ", key, " ", *after)));
      report.Field("after", *after);
    }
    report.EndElement();
  };
  for (const auto& [key, before] : entities[0]) {
    const auto after = entities[1].find(key);
    if (after == entities[1].end()) {
      add(key, &before, nullptr);
    } else if (after->second != before) {
      add(key, &before, &after->second);
    }
  }
  for (const auto& [key, after] : entities[1]) {
    if (!entities[0].contains(key)) add(key, nullptr, &after);
  }
  report.EndArray();
  report.PrintTo(console);
  return count == 0 ? ExitCode::kOk : ExitCode::kDifferent;
}

}  // namespace

std::unique_ptr<Verb> MakeSnapshotVerb() { return std::make_unique<SnapshotVerb>(); }

}  // namespace tools
