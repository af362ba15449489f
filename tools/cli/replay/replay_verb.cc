// ticktape replay: drives an engine over a journal.

#include <span>

#include "absl/strings/match.h"
#include "engine/messages/event.h"
#include "engine/messages/text.h"
#include "journal/digest_sidecar.h"
#include "journal/uuid.h"
#include "replay/checked_replay.h"
#include "replay/event_outputs.h"
#include "replay/machine.h"
#include "replay/market_follower.h"
#include "replay/output.h"
#include "replay/snapshot/state_source.h"
#include "replay/vocabulary.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/read/follow.h"
#include "tools/cli/read/message_forms.h"
#include "tools/cli/read/read_ahead.h"
#include "tools/cli/read/replay_report.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/read/snapshots.h"
#include "tools/cli/replay/follow_replay.h"
#include "tools/os/output.h"

namespace tools {
namespace {

// Writes events to a file, in the text form or as JSON lines. The file appears under its name only
// when it is complete.
class EventOutput {
 public:
  // "-" is the console's output. JSON lines if the path ends with .jsonl, or for "-" if the console
  // prints JSON. Null for the empty path.
  static absl::StatusOr<std::unique_ptr<EventOutput>> Open(const std::string& path,
                                                           Console& console) {
    if (path.empty()) return nullptr;
    auto output = std::make_unique<EventOutput>(console);
    output->json_ = path == "-" ? console.json() : absl::EndsWith(path, ".jsonl");
    if (path != "-") {
      ASSIGN_OR_RETURN(output->file_, Output::Create(path, /*replace=*/true));
    }
    return output;
  }

  explicit EventOutput(Console& console) : console_(console) {}

  // Learns the words of the journal's application, and the markets of a restored machine that does
  // not start at the first record. `info` is null if no record is written yet.
  void Begin(const journal::JournalInfo* info, const replay::Machine& machine) {
    if (info != nullptr && !IsOfExchange(*info)) vocabulary_ = VocabularyOf(*info);
    markets_.Know(machine);
  }

  // Learns symbols and decimals from the record; call it for every record of the journal.
  void Follow(const journal::Record& record) {
    if (vocabulary_ != nullptr) return vocabulary_->Follow(record);
    markets_.Follow(record);
  }

  void Write(const journal::Record& record, std::span<const replay::Output> outputs) {
    for (const replay::Output& output : outputs) {
      const std::string line = absl::StrCat(Line(output, record.timestamp()), "\n");
      if (file_ != nullptr) {
        file_->Write(line);
      } else {
        console_.Print(ConsoleText::Lines(line));
      }
    }
  }

  // Errors: the first one that occurred with the file, now or earlier.
  absl::Status Finish() { return file_ != nullptr ? file_->Finish() : absl::OkStatus(); }

 private:
  std::string Line(const replay::Output& output, engine::Timestamp time) const {
    if (vocabulary_ != nullptr) {
      return json_ ? OutputJson(output, time, *vocabulary_) : vocabulary_->Text(output);
    }
    const engine::Event& event = replay::AsEvents({&output, 1}).front();
    return json_ ? EventJson(event, time, markets_.markets()) : text_.Format(event);
  }

  Console& console_;
  bool json_ = false;
  std::unique_ptr<Output> file_;  // Null: writes to the console.
  replay::MarketFollower markets_;
  const engine::MessageText text_{markets_.markets()};
  std::unique_ptr<replay::Vocabulary> vocabulary_;  // Null: the exchange's.
};

constexpr char kExamples[] = R"(  ticktape replay a.tape
  ticktape replay a.tape --to @50000 --json
  ticktape replay a.tape --from @order:4711 --to @+5s --emit - | grep trade
  ticktape replay a.tape --from-snapshot --from @9000000 --emit -
  ticktape replay live.tape --follow

The engine starts at the first record, or with --from-snapshot, and where that record
is gone, at a proven snapshot; --from says where what is emitted begins.
Digests are compared with the recorded run's at every checkpoint up to --to; exit
code 1 says that they differ.)";

class ReplayVerb final : public Verb {
 public:
  ReplayVerb() : Verb("replay", "Drive an engine over a journal, checking as it goes", kExamples) {}

  void Declare(Options& options) override {
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

  absl::StatusOr<ExitCode> Run(Console& console) override {
    return follow_.is_set() ? Follow(console) : Replay(console);
  }

 private:
  absl::StatusOr<ExitCode> Replay(Console& console) const {
    ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(path_));
    journal::Reader& reader = *opened.reader;
    const std::string to = to_.empty() ? "@-1" : to_;
    ASSIGN_OR_RETURN(const SequenceRange range,
                     ResolveRange(absl::StrCat(from_, "..", to), reader));
    if (!from_.empty() && emit_.empty()) {
      return absl::InvalidArgumentError("--from says where --emit begins, and there is no --emit");
    }
    ASSIGN_OR_RETURN(const std::unique_ptr<EventOutput> output, EventOutput::Open(emit_, console));

    Progress progress(console, "replay", "records", range.last.value());
    ASSIGN_OR_RETURN(replay::StartingPoint start, FindStart(opened, range, console));
    if (output != nullptr) output->Begin(&reader.info(), *start.machine);
    RETURN_IF_ERROR(reader.SeekToSequence(start.last_applied().Next()));
    ReadAhead ahead(reader);
    const auto next = [&ahead] { return ahead.NextBatch(); };
    std::vector<journal::Checkpoint> recorded =
        RecordedCheckpoints(*opened.directory, reader.info(), console);
    const auto emit = [&](const journal::Record& record, std::span<const replay::Output> outputs) {
      progress.Update(record.sequence().value());
      if (replay::IsFirstPart(outputs)) output->Follow(record);
      if (record.sequence() >= range.first) output->Write(record, outputs);
    };
    const auto pass = [&](engine::SequenceNumber passed) { progress.Show(passed.value()); };
    ASSIGN_OR_RETURN(const replay::CheckedReplay replayed,
                     output != nullptr ? replay::ReplayCheckedBatchesInParts(
                                             start, next, std::move(recorded), range.last, emit)
                                       : replay::ReplayCheckedBatchesUnseen(
                                             start, next, std::move(recorded), range.last, pass));
    return Finish(console, replayed, progress, *start.machine, output.get());
  }

  absl::StatusOr<ExitCode> Follow(Console& console) {
    if (!from_.empty() || !to_.empty() || from_snapshot_) {
      return absl::InvalidArgumentError(
          "--follow goes from the first record to Ctrl-C: it takes "
          "neither --from nor --to nor --from-snapshot");
    }
    ASSIGN_OR_RETURN(const std::unique_ptr<EventOutput> output, EventOutput::Open(emit_, console));
    ASSIGN_OR_RETURN(const FollowedJournal followed, follow_.Open(path_));
    const auto reader = journal::Reader::Open(*followed.directory);
    const journal::JournalInfo* const info = reader.ok() ? &(*reader)->info() : nullptr;
    ASSIGN_OR_RETURN(replay::StartingPoint start,
                     FindStartToFollow(*followed.directory, info, console));
    if (output != nullptr) output->Begin(info, *start.machine);
    Progress progress(console, "replay", "records", 0);
    const auto recorded = [&] {
      // The checkpoints of the live run so far; empty if they cannot be read.
      const journal::Follower& follower = *followed.follower;
      const std::optional<journal::Uuid> uuid = follower.journal_uuid();
      if (!uuid.has_value()) return std::vector<journal::Checkpoint>();
      return journal::ReadSidecar(*followed.directory, *uuid, follower.next_sequence() - 1)
          .value_or(std::vector<journal::Checkpoint>());
    };
    const auto idle = [&] {
      console.Flush();
      return follow_.ShouldContinue(followed, console);
    };
    const auto seen = [&](const journal::Record& record, std::span<const replay::Output> outputs) {
      progress.Update(record.sequence().value());
      if (output == nullptr) return;
      if (replay::IsFirstPart(outputs)) output->Follow(record);
      output->Write(record, outputs);
    };
    ASSIGN_OR_RETURN(
        const replay::CheckedReplay replayed,
        FollowReplay(*followed.follower, *followed.watch, start, recorded, idle, seen));
    return Finish(console, replayed, progress, *start.machine, output.get());
  }

  absl::StatusOr<replay::StartingPoint> FindStart(const OpenedJournal& opened,
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

  // Returns a new engine before record 1, which may not be written yet (`info` is null then); for a
  // pruned journal, the state of its oldest usable snapshot.
  absl::StatusOr<replay::StartingPoint> FindStartToFollow(const journal::Directory& directory,
                                                          const journal::JournalInfo* info,
                                                          Console& console) const {
    if (info == nullptr) {
      return replay::StartingPoint{
          .machine = replay::MakeEngine(engine_), .snapshot = {}, .warnings = {}};
    }
    if (info->first_sequence <= engine::SequenceNumber::First()) {
      ASSIGN_OR_RETURN(std::unique_ptr<replay::Machine> machine, MakeMachineFor(*info, engine_));
      return replay::StartingPoint{.machine = std::move(machine), .snapshot = {}, .warnings = {}};
    }
    ASSIGN_OR_RETURN(const engine::SequenceNumber oldest, OldestStart(directory, *info));
    ASSIGN_OR_RETURN(replay::StartingPoint start,
                     StartFromSnapshot(directory, *info, oldest, engine_, console));
    console.Note("note: followed from the snapshot at @", start.last_applied().value());
    return start;
  }

  // Completes the emitted events. If they went to standard output, nothing else is printed there.
  absl::StatusOr<ExitCode> Finish(Console& console, const replay::CheckedReplay& replayed,
                                  Progress& progress, const replay::Machine& machine,
                                  EventOutput* output) const {
    const double seconds = progress.Seconds();
    progress.Clear();
    if (output != nullptr) RETURN_IF_ERROR(output->Finish());
    if (emit_ != "-") {
      Report report("ticktape.replay/1");
      report.Line(Styled(Style::kBold, path_), ", replayed with the ", machine.name(), " engine");
      report.Field("path", path_);
      AddReplay(report, replayed, seconds);
      report.PrintTo(console);
    }
    return replayed.divergence.has_value() ? ExitCode::kDifferent : ExitCode::kOk;
  }

  std::string path_;
  std::string from_;
  std::string to_;
  std::string emit_;
  bool from_snapshot_ = false;
  replay::EngineKind engine_ = replay::EngineKind::kFast;
  FollowOption follow_;
};

}  // namespace

std::unique_ptr<Verb> MakeReplayVerb() { return std::make_unique<ReplayVerb>(); }

}  // namespace tools
