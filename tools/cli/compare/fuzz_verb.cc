// ticktape fuzz: runs random commands through the exchange and its reference.

#include "tools/cli/compare/fuzz_verb.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/core/exchange.h"
#include "engine/core/testing/differential.h"
#include "engine/core/testing/random_commands.h"
#include "engine/core/testing/session.h"
#include "engine/messages/command.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/schema.h"
#include "journal/journal_metadata.h"
#include "journal/storage/posix_storage.h"
#include "journal/uuid.h"
#include "journal/writer.h"
#include "replay/command_row.h"
#include "replay/exchange_machine.h"
#include "tools/cli/base/build_id.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/json.h"
#include "tools/cli/base/options.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/base/report_row.h"
#include "tools/cli/compare/fuzz_coverage.h"
#include "tools/cli/compare/verbs.h"
#include "tools/os/abort_note.h"
#include "tools/os/output.h"
#include "tools/os/parallel.h"
#include "tools/os/stopwatch.h"

namespace tools {
namespace {

class FuzzVerb final : public Verb {
 public:
  explicit FuzzVerb(engine::CandidateFactory make_candidate)
      : make_candidate_(std::move(make_candidate)) {}

  const char* name() const override { return "fuzz"; }
  const char* summary() const override {
    return "Compare the exchange with its reference under random commands";
  }
  const char* examples() const override {
    return "  ticktape fuzz --seconds 60\n"
           "  ticktape fuzz --seconds 3600 --seed 7000000 -o found\n"
           "  ticktape fuzz --runs 1 --seed 42\n"
           "\n"
           "Run n has the seed --seed + n, which alone decides its commands: what is found and\n"
           "counted does not depend on --jobs, unless --seconds ends it. Events, state\n"
           "digests and invariants are compared. On a difference the journal <output>.tape and "
           "the\n"
           "shrunk transcript <output>.txt are written, and the exit code is 1.";
  }
  void Declare(Options& options) override;
  absl::StatusOr<ExitCode> Run(Console& console) override;

 private:
  // The result of one seed.
  struct Outcome {
    size_t commands = 0;
    FuzzCoverage coverage;
    std::optional<engine::RandomRun> different;  // If the engines differ.
  };

  uint64_t RunsAtOnce() const;
  Outcome RunSeed(uint64_t seed, AbortNote& note) const;
  absl::StatusOr<ExitCode> ReportDivergence(uint64_t seed, const engine::RandomRun& run,
                                            Console& console) const;
  void ReportAgreement(Console& console, double seconds) const;

  const engine::CandidateFactory make_candidate_;

  uint64_t seconds_ = 10;
  uint64_t runs_max_ = 0;
  uint64_t seed_ = 1;
  uint64_t commands_per_run_ = 2000;
  uint64_t jobs_ = ProcessorCount();
  std::string output_ = "divergence";

  uint64_t runs_ = 0;
  uint64_t commands_ = 0;
  std::map<std::string, uint64_t> by_scenario_;
  FuzzCoverage coverage_;
};

// Records the coverage of the commands that pass through it.
class WatchedCandidate final : public engine::Candidate {
 public:
  WatchedCandidate(engine::Candidate& candidate, FuzzCoverage& coverage)
      : candidate_(candidate), coverage_(coverage) {}

  void Apply(const engine::Command& command, engine::Bytes attachment,
             engine::EventBuffer& events) override {
    candidate_.Apply(command, attachment, events);
    coverage_.Count(command, events.events());
  }
  engine::Digest StateDigest() const override { return candidate_.StateDigest(); }
  void CheckInvariants() const override { candidate_.CheckInvariants(); }

 private:
  engine::Candidate& candidate_;
  FuzzCoverage& coverage_;
};

void FuzzVerb::Declare(Options& options) {
  options.Add("--seconds", seconds_, "How long")
      .Type("COUNT")
      .ShowDefault()
      .InRange(uint64_t{1}, uint64_t{10'000'000});
  options.Add("--runs", runs_max_, "Stop after so many runs; 0: when the time is up")
      .Type("COUNT")
      .ShowDefault()
      .InRange(uint64_t{0}, uint64_t{1} << 40);
  options.Add("--seed", seed_, "Of the first run")
      .Type("NUMBER")
      .ShowDefault()
      .InRange(uint64_t{0}, uint64_t{1} << 62);
  options.Add("--commands-per-run", commands_per_run_, "Commands from one new exchange on")
      .Type("COUNT")
      .ShowDefault()
      .InRange(uint64_t{1}, uint64_t{1'000'000});
  options.Add("-j,--jobs", jobs_, "Runs at the same time")
      .Type("COUNT")
      .ShowDefault()
      .InRange(uint64_t{1}, uint64_t{256});
  options.Add("-o,--output", output_, "What the files of a difference are called")
      .Type("NAME")
      .ShowDefault();
}

// The seed replaces entropy in the UUID: equal runs give equal journals.
absl::Status WriteJournal(const std::string& path, uint64_t seed, const engine::Session& session) {
  if (session.front().command.timestamp < engine::Timestamp()) {
    return absl::OkStatus();  // Only the transcript and the seed are written.
  }
  ASSIGN_OR_RETURN(const auto directory,
                   journal::OpenPosixDirectory(path, journal::DirectoryMode::kCreate));
  const journal::JournalMetadata metadata = {.application = "ticktape exchange",
                                             .build_id = BuildId(),
                                             .semantics_version = replay::kSemanticsVersion,
                                             .created_by = absl::StrCat("ticktape fuzz ", seed),
                                             .row_schema_id = engine::CommandSchemaId(),
                                             .row_schema = engine::CompiledSchema()};
  ASSIGN_OR_RETURN(const auto writer, journal::Writer::Create(*directory, metadata,
                                                              journal::Uuid::FromWords(seed, ~seed),
                                                              session.front().command.timestamp));
  for (const engine::SessionCommand& next : session) {
    RETURN_IF_ERROR(writer->Append(replay::ToRow(next.command), next.attachment));
  }
  return writer->Close();
}

absl::Status WriteText(const std::string& path, const std::string& text) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Output> file, Output::Create(path, /*replace=*/true));
  file->Write(text);
  return file->Finish();
}

absl::StatusOr<ExitCode> FuzzVerb::ReportDivergence(uint64_t seed, const engine::RandomRun& run,
                                                    Console& console) const {
  const std::string journal = output_ + ".tape";
  const std::string transcript = output_ + ".txt";
  const engine::Session shrunk = engine::Shrink(run.session, make_candidate_);
  // A journal cannot begin before 1970, but an engine's session can; shrinking moves a session to a
  // later time.
  const bool is_recordable = run.session.front().command.timestamp >= engine::Timestamp();
  RETURN_IF_ERROR(WriteJournal(journal, seed, is_recordable ? run.session : shrunk));
  const std::string text = engine::ToTranscript(
      absl::StrCat("Found by ticktape fuzz --seed ", seed, " --runs 1."), shrunk);
  RETURN_IF_ERROR(WriteText(transcript, text));
  if (console.json()) {
    JsonObject json("ticktape.fuzz/1");
    json.Field("agrees", false);
    json.Field("seed", seed);
    json.Field("commands", commands_);
    json.Field("journal", journal);
    json.Field("transcript", transcript);
    console.PrintLine(json.Take());
    return ExitCode::kDifferent;
  }
  const auto candidate = make_candidate_();
  const auto divergence = engine::Compare(shrunk, *candidate, {.invariants_every = ~size_t{0}});
  console.PrintLine(console.Styled(Style::kRed, "DIFFERENT"), ": seed ", seed, ", scenario ",
                    engine::ScenarioName(seed), ", command ", run.divergence->index + 1,
                    "; shrunk to ", shrunk.size(), ":");
  console.Print(
      ConsoleText::Lines(text),
      ConsoleText::Lines(divergence.has_value() ? divergence->what : run.divergence->what));
  PrintRow(console, "journal", journal);
  PrintRow(console, "transcript", transcript);
  return ExitCode::kDifferent;
}

void FuzzVerb::ReportAgreement(Console& console, double seconds) const {
  if (console.json()) {
    JsonObject json("ticktape.fuzz/1");
    json.Field("agrees", true);
    json.Field("seed", seed_);
    json.Field("runs", runs_);
    json.Field("commands", commands_);
    json.Field("seconds", seconds);
    json.Field("events", coverage_.events());
    for (const FuzzCoverage::Row& row : coverage_.Rows()) {
      json.Field(absl::StrCat(row.what, "_reached"), row.reached);
      json.Field(absl::StrCat(row.what, "_all"), row.all);
    }
    console.PrintLine(json.Take());
    return;
  }
  console.PrintLine(console.Styled(Style::kGreen, "EQUAL"), ": ", WithCommas(commands_),
                    " commands compared in ", WithCommas(runs_), " runs, ", HumanSeconds(seconds));
  PrintRow(console, "seeds", absl::StrCat(seed_, " to ", seed_ + runs_ - 1));
  for (const auto& [scenario, commands] : by_scenario_) {
    PrintRow(console, scenario, absl::StrCat(WithCommas(commands), " commands"));
  }
  PrintRow(console, "events", WithCommas(coverage_.events()));
  for (const FuzzCoverage::Row& row : coverage_.Rows()) {
    PrintRow(console, row.what, row.ToString());
  }
}

// Enough runs that no job waits long for the others, few enough to keep to the time limit.
uint64_t FuzzVerb::RunsAtOnce() const {
  constexpr uint64_t kCommandsOfAJob = 32'000;
  const uint64_t runs = jobs_ * std::max<uint64_t>(1, kCommandsOfAJob / commands_per_run_);
  return runs_max_ == 0 ? runs : std::min(runs, runs_max_ - runs_);
}

FuzzVerb::Outcome FuzzVerb::RunSeed(uint64_t seed, AbortNote& note) const {
  note.Set(absl::StrCat("ticktape fuzz: stopped in the run of --seed ", seed,
                        " --runs 1 --commands-per-run ", commands_per_run_));
  Outcome outcome;
  const auto candidate = make_candidate_();
  WatchedCandidate watched(*candidate, outcome.coverage);
  engine::RandomRun run = engine::CompareRandom(seed, commands_per_run_, watched,
                                                {.digest_every = 8, .invariants_every = 32});
  outcome.commands = run.session.size();
  if (run.divergence.has_value()) outcome.different = std::move(run);
  return outcome;
}

absl::StatusOr<ExitCode> FuzzVerb::Run(Console& console) {
  const Stopwatch stopwatch;
  Progress progress(console, "fuzz", "commands", 0);
  AbortNote note;
  do {
    const uint64_t first = seed_ + runs_;
    std::vector<Outcome> outcomes(RunsAtOnce());
    RunParallel(outcomes.size(), jobs_, [&](size_t i) { outcomes[i] = RunSeed(first + i, note); });
    // In the order of the seeds, so that the result does not depend on --jobs.
    for (const Outcome& outcome : outcomes) {
      const uint64_t seed = seed_ + runs_++;
      commands_ += outcome.commands;
      coverage_.Add(outcome.coverage);
      by_scenario_[std::string(engine::ScenarioName(seed))] += outcome.commands;
      if (!outcome.different.has_value()) continue;
      progress.Clear();
      return ReportDivergence(seed, *outcome.different, console);
    }
    progress.Show(commands_);
  } while (stopwatch.Seconds() < static_cast<double>(seconds_) && runs_ != runs_max_);
  progress.Clear();
  ReportAgreement(console, stopwatch.Seconds());
  return ExitCode::kOk;
}

}  // namespace

std::unique_ptr<Verb> MakeFuzzVerb(engine::CandidateFactory make_candidate) {
  return std::make_unique<FuzzVerb>(std::move(make_candidate));
}

std::unique_ptr<Verb> MakeFuzzVerb() {
  return MakeFuzzVerb([] { return std::make_unique<engine::CandidateOf<engine::Exchange>>(); });
}

}  // namespace tools
