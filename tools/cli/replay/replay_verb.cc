// ticktape replay: drives an engine over a journal.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/messages/event.h"
#include "engine/messages/text.h"
#include "journal/digest_sidecar.h"
#include "journal/uuid.h"
#include "replay/checked_replay.h"
#include "replay/engines.h"
#include "replay/event_outputs.h"
#include "replay/machine.h"
#include "replay/output.h"
#include "replay/snapshot/state_source.h"
#include "replay/vocabulary.h"
#include "tools/cli/base/applications.h"
#include "tools/cli/base/engine_option.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/read/follow.h"
#include "tools/cli/read/market_follower.h"
#include "tools/cli/read/message_json.h"
#include "tools/cli/read/read_ahead.h"
#include "tools/cli/read/replay_report.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/read/snapshots.h"
#include "tools/cli/replay/follow_replay.h"
#include "tools/cli/replay/verbs.h"
#include "tools/os/output.h"

namespace tools {
namespace {

// Writes events to a file, in the text form or as JSON lines. The file appears under its name only
// when it is complete.
class EventOutput {
 public:
  // "-" is the console's output. JSON lines if the path ends with .jsonl, or for "-" if the console
  // prints JSON.
  static absl::StatusOr<std::unique_ptr<EventOutput>> Open(const std::string& path,
                                                           Console& console);

  // Prints in the words of another application than the exchange.
  void Speak(std::unique_ptr<replay::Vocabulary> vocabulary) {
    vocabulary_ = std::move(vocabulary);
  }

  // Learns symbols and decimals from the record; call it for every record of the journal.
  void Follow(const journal::Record& record) {
    if (vocabulary_ != nullptr) return vocabulary_->Follow(record);
    markets_.Follow(record);
  }

  // Learns the markets of a restored machine that does not start at the first record.
  void Know(const replay::Machine& machine) { markets_.Know(machine); }

  void Write(const journal::Record& record, std::span<const replay::Output> outputs);

  // Errors: the first one that occurred with the file, now or earlier.
  absl::Status Finish();

 private:
  EventOutput(std::unique_ptr<Output> file, Console& console, bool json)
      : file_(std::move(file)), console_(console), json_(json) {}

  std::unique_ptr<Output> file_;  // Null: writes to the console.
  Console& console_;
  const bool json_;
  std::string Line(const replay::Output& output, engine::Timestamp time) const;

  MarketFollower markets_;
  const engine::MessageText text_{markets_.markets()};
  std::unique_ptr<replay::Vocabulary> vocabulary_;  // Null: the exchange's.
};

absl::StatusOr<std::unique_ptr<EventOutput>> EventOutput::Open(const std::string& path,
                                                               Console& console) {
  std::unique_ptr<Output> file;
  if (path != "-") {
    ASSIGN_OR_RETURN(file, Output::Create(path, /*replace=*/true));
  }
  const bool json = path == "-" ? console.json() : absl::EndsWith(path, ".jsonl");
  return std::unique_ptr<EventOutput>(new EventOutput(std::move(file), console, json));
}

std::string EventOutput::Line(const replay::Output& output, engine::Timestamp time) const {
  if (vocabulary_ != nullptr) {
    return json_ ? OutputJson(output, time, *vocabulary_) : vocabulary_->Text(output);
  }
  const engine::Event& event = replay::AsEvents({&output, 1}).front();
  return json_ ? EventJson(event, time, markets_.markets()) : text_.Format(event);
}

void EventOutput::Write(const journal::Record& record, std::span<const replay::Output> outputs) {
  for (const replay::Output& output : outputs) {
    const std::string line = absl::StrCat(Line(output, record.timestamp()), "\n");
    if (file_ != nullptr) {
      file_->Write(line);
    } else {
      console_.Print(ConsoleText::Lines(line));
    }
  }
}

absl::Status EventOutput::Finish() { return file_ != nullptr ? file_->Finish() : absl::OkStatus(); }

// Returns the checkpoints of the live run so far; empty if they cannot be read.
std::vector<journal::Checkpoint> CheckpointsSoFar(const FollowedJournal& followed) {
  const std::optional<journal::Uuid> uuid = followed.follower->journal_uuid();
  if (!uuid.has_value()) return {};
  return journal::ReadSidecar(*followed.directory, *uuid, followed.follower->next_sequence() - 1)
      .value_or(std::vector<journal::Checkpoint>());
}

class ReplayVerb final : public Verb {
 public:
  const char* name() const override { return "replay"; }
  const char* summary() const override {
    return "Drive an engine over a journal, checking as it goes";
  }
  const char* examples() const override {
    return "  ticktape replay a.tape\n"
           "  ticktape replay a.tape --to @50000 --json\n"
           "  ticktape replay a.tape --from @order:4711 --to @+5s --emit - | grep trade\n"
           "  ticktape replay a.tape --from-snapshot --from @9000000 --emit -\n"
           "  ticktape replay live.tape --follow\n"
           "\n"
           "The engine starts at the first record, or with --from-snapshot, and where that record\n"
           "is gone, at a proven snapshot; --from says where what is emitted begins.\n"
           "Digests are compared with the recorded run's at every checkpoint up to --to; exit\n"
           "code 1 says that they differ.";
  }
  void Declare(Options& options) override;
  absl::StatusOr<ExitCode> Run(Console& console) override;

 private:
  absl::StatusOr<ExitCode> Follow(Console& console);
  absl::StatusOr<replay::StartingPoint> FindStart(const OpenedJournal& opened,
                                                  const SequenceRange& range,
                                                  Console& console) const;
  absl::StatusOr<replay::StartingPoint> FindStartToFollow(const journal::Directory& directory,
                                                          Console& console) const;
  ExitCode Print(Console& console, const replay::CheckedReplay& replayed, double seconds,
                 const replay::Machine& machine) const;

  std::string path_;
  std::string from_;
  std::string to_;
  std::string emit_;
  bool from_snapshot_ = false;
  replay::EngineKind engine_ = replay::EngineKind::kFast;
  FollowOption follow_;
};

void ReplayVerb::Declare(Options& options) {
  options.Add("journal", path_, "The journal's folder").Required().Type("JOURNAL");
  options.Add("--from", from_, "Emit from this position").Type("POSITION");
  options.Add("--to", to_, "Stop after this position").Type("POSITION");
  options.AddFlag("--from-snapshot", from_snapshot_,
                  "Start at the newest proven snapshot before --from, or --to");
  AddEngineOption(options, engine_);
  options
      .Add("--emit", emit_,
           "Write the events to FILE: text, or JSON lines if it ends with .jsonl; - is standard\n"
           "output")
      .Type("FILE");
  follow_.Declare(options);
}

ExitCode ReplayVerb::Print(Console& console, const replay::CheckedReplay& replayed, double seconds,
                           const replay::Machine& machine) const {
  // If events went to standard output, nothing else is printed there.
  if (emit_ != "-") {
    Report report("ticktape.replay/1");
    report.Line(Styled(Style::kBold, path_), ", replayed with the ", machine.name(), " engine");
    report.Field("path", path_);
    AddReplay(report, replayed, seconds);
    report.PrintTo(console);
  }
  return replayed.divergence.has_value() ? ExitCode::kDifferent : ExitCode::kOk;
}

absl::StatusOr<ExitCode> ReplayVerb::Follow(Console& console) {
  if (!from_.empty() || !to_.empty() || from_snapshot_) {
    return absl::InvalidArgumentError(
        "--follow goes from the first record to Ctrl-C: it takes "
        "neither --from nor --to nor --from-snapshot");
  }
  std::unique_ptr<EventOutput> output;
  if (!emit_.empty()) {
    ASSIGN_OR_RETURN(output, EventOutput::Open(emit_, console));
  }
  ASSIGN_OR_RETURN(const FollowedJournal followed, follow_.Open(path_));
  ASSIGN_OR_RETURN(replay::StartingPoint start, FindStartToFollow(*followed.directory, console));
  if (output != nullptr) {
    const auto opened = journal::Reader::Open(*followed.directory);
    if (opened.ok() && !IsOfExchange((*opened)->info())) {
      output->Speak(VocabularyOf((*opened)->info()));
    }
    output->Know(*start.machine);
  }
  Progress progress(console, "replay", "records", 0);
  const FollowReplayOptions options{.recorded = [&] { return CheckpointsSoFar(followed); },
                                    .idle =
                                        [&] {
                                          console.Flush();
                                          return follow_.ShouldContinue(followed, console);
                                        }};
  ASSIGN_OR_RETURN(
      const replay::CheckedReplay replayed,
      FollowReplay(*followed.follower, *followed.watch, start, options,
                   [&](const journal::Record& record, std::span<const replay::Output> outputs) {
                     progress.Update(record.sequence().value());
                     if (output == nullptr) return;
                     output->Follow(record);
                     output->Write(record, outputs);
                   }));
  const double seconds = progress.Seconds();
  progress.Clear();
  if (output != nullptr) RETURN_IF_ERROR(output->Finish());
  return Print(console, replayed, seconds, *start.machine);
}

// Returns a new engine before record 1, which may not be written yet; for a pruned journal, the
// state of its oldest usable snapshot.
absl::StatusOr<replay::StartingPoint> ReplayVerb::FindStartToFollow(
    const journal::Directory& directory, Console& console) const {
  const auto reader = journal::Reader::Open(directory);
  const bool is_pruned =
      reader.ok() && (*reader)->info().first_sequence > engine::SequenceNumber::First();
  if (!is_pruned) {
    std::unique_ptr<replay::Machine> machine = replay::MakeEngine(engine_);
    if (reader.ok()) {
      ASSIGN_OR_RETURN(machine, MakeMachineFor((*reader)->info(), engine_));
    }
    return replay::StartingPoint{.machine = std::move(machine), .snapshot = {}, .warnings = {}};
  }
  const journal::JournalInfo& info = (*reader)->info();
  ASSIGN_OR_RETURN(const engine::SequenceNumber oldest, OldestStart(directory, info));
  ASSIGN_OR_RETURN(replay::StartingPoint start,
                   StartFromSnapshot(directory, info, oldest, engine_, console));
  console.Note("note: followed from the snapshot at @", start.last_applied().value());
  return start;
}

absl::StatusOr<replay::StartingPoint> ReplayVerb::FindStart(const OpenedJournal& opened,
                                                            const SequenceRange& range,
                                                            Console& console) const {
  const journal::JournalInfo& info = opened.reader->info();
  const bool from_first = info.first_sequence == engine::SequenceNumber::First();
  engine::SequenceNumber at_most;
  if (from_snapshot_ || !from_first) at_most = from_.empty() ? range.last : range.first - 1;
  ASSIGN_OR_RETURN(replay::StartingPoint start,
                   StartFromSnapshot(*opened.directory, info, at_most, engine_, console));
  if (start.snapshot.has_value()) {
    console.Note("note: replayed from the snapshot at @", start.last_applied().value());
  } else if (from_snapshot_) {
    console.Note("note: no usable snapshot; replayed from the first record");
  }
  return start;
}

absl::StatusOr<ExitCode> ReplayVerb::Run(Console& console) {
  if (follow_.is_set()) return Follow(console);
  ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(path_));
  journal::Reader& reader = *opened.reader;
  const std::string to = to_.empty() ? "@-1" : to_;
  ASSIGN_OR_RETURN(const SequenceRange range, ResolveRange(absl::StrCat(from_, "..", to), reader));
  if (!from_.empty() && emit_.empty()) {
    return absl::InvalidArgumentError("--from says where --emit begins, and there is no --emit");
  }
  std::unique_ptr<EventOutput> output;
  if (!emit_.empty()) {
    ASSIGN_OR_RETURN(output, EventOutput::Open(emit_, console));
  }

  Progress progress(console, "replay", "records", range.last.value());
  ASSIGN_OR_RETURN(replay::StartingPoint start, FindStart(opened, range, console));
  if (output != nullptr) {
    if (!IsOfExchange(reader.info())) output->Speak(VocabularyOf(reader.info()));
    output->Know(*start.machine);
  }
  RETURN_IF_ERROR(reader.SeekToSequence(start.last_applied().Next()));
  ReadAhead ahead(reader);
  const auto next = [&ahead] { return ahead.NextBatch(); };
  std::vector<journal::Checkpoint> recorded =
      RecordedCheckpoints(*opened.directory, reader.info(), console);
  const auto emit = [&](const journal::Record& record, std::span<const replay::Output> outputs) {
    progress.Update(record.sequence().value());
    output->Follow(record);
    if (record.sequence() >= range.first) output->Write(record, outputs);
  };
  const auto pass = [&](engine::SequenceNumber passed) { progress.Show(passed.value()); };
  ASSIGN_OR_RETURN(
      const replay::CheckedReplay replayed,
      output != nullptr
          ? replay::ReplayCheckedBatches(start, next, std::move(recorded), range.last, emit)
          : replay::ReplayCheckedBatchesUnseen(start, next, std::move(recorded), range.last, pass));
  const double seconds = progress.Seconds();
  progress.Clear();
  if (output != nullptr) RETURN_IF_ERROR(output->Finish());
  return Print(console, replayed, seconds, *start.machine);
}

}  // namespace

std::unique_ptr<Verb> MakeReplayVerb() { return std::make_unique<ReplayVerb>(); }

}  // namespace tools
