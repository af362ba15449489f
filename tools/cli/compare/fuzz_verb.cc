// ticktape fuzz: runs random commands through the exchange and its reference.

#include "tools/cli/compare/fuzz_verb.h"

#include <map>

#include "absl/strings/str_join.h"
#include "engine/base/digest.h"
#include "engine/base/timestamp.h"
#include "engine/core/exchange.h"
#include "engine/differential/random_commands.h"
#include "engine/differential/session.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/names.h"
#include "engine/messages/reject_reason.h"
#include "journal/uuid.h"
#include "journal/writer.h"
#include "replay/command_row.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/os/clocks.h"
#include "tools/os/signals.h"
#include "tools/os/thread.h"

namespace tools {
namespace {

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

// The seed replaces entropy in the UUID: equal runs give equal journals.
absl::Status WriteJournal(const std::string& path, uint64_t seed, const engine::Session& session) {
  if (session.front().command.timestamp < engine::Timestamp()) {
    return absl::OkStatus();  // Only the transcript and the seed are written.
  }
  ASSIGN_OR_RETURN(const auto directory,
                   journal::OpenPosixDirectory(path, journal::DirectoryMode::kCreate));
  ASSIGN_OR_RETURN(const auto writer,
                   journal::Writer::Create(
                       *directory, ExchangeMetadata(absl::StrCat("ticktape fuzz ", seed)),
                       journal::Uuid::FromWords(seed, ~seed), session.front().command.timestamp));
  for (const engine::SessionCommand& next : session) {
    RETURN_IF_ERROR(writer->Append(replay::ToRow(next.command), next.attachment));
  }
  return writer->Close();
}

constexpr char kExamples[] = R"(  ticktape fuzz --seconds 60
  ticktape fuzz --seconds 3600 --seed 7000000 -o found
  ticktape fuzz --runs 1 --seed 42

Run n has the seed --seed + n, which alone decides its commands: what is found and
counted does not depend on --jobs, unless --seconds ends it. Events, state
digests and invariants are compared. On a difference the journal <output>.tape and the
shrunk transcript <output>.txt are written, and the exit code is 1.)";

class FuzzVerb final : public Verb {
 public:
  explicit FuzzVerb(engine::CandidateFactory make_candidate)
      : Verb("fuzz", "Compare the exchange with its reference under random commands", kExamples),
        make_candidate_(std::move(make_candidate)) {}

  void Declare(Options& options) override {
    options.AddCount("--seconds", seconds_, "How long", uint64_t{1}, uint64_t{10'000'000});
    options.AddCount("--runs", runs_max_, "Stop after so many runs; 0: when the time is up",
                     uint64_t{0}, uint64_t{1} << 40);
    options.Add("--seed", seed_, "Of the first run")
        .Type("NUMBER")
        .ShowDefault()
        .InRange(uint64_t{0}, uint64_t{1} << 62);
    options.AddCount("--commands-per-run", commands_per_run_, "Commands from one new exchange on",
                     uint64_t{1}, uint64_t{1'000'000});
    options.AddCount("-j,--jobs", jobs_, "Runs at the same time", uint64_t{1}, uint64_t{256});
    options.Add("-o,--output", output_, "What the files of a difference are called")
        .Type("NAME")
        .ShowDefault();
  }

  absl::StatusOr<ExitCode> Run(Console& console) override {
    const Stopwatch stopwatch;
    Progress progress(console, "fuzz", "commands", 0);
    AbortNote note;
    do {
      const uint64_t first = seed_ + runs_;
      std::vector<Outcome> outcomes(ParallelRuns());
      RunParallel(outcomes.size(), jobs_,
                  [&](size_t i) { outcomes[i] = RunSeed(first + i, note); });
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

 private:
  // The result of one seed.
  struct Outcome {
    size_t commands = 0;
    FuzzCoverage coverage;
    std::optional<engine::RandomRun> different;  // If the engines differ.
  };

  // Enough runs that no job waits long for the others, few enough to keep to the time limit.
  uint64_t ParallelRuns() const {
    constexpr uint64_t kCommandsOfAJob = 32'000;
    const uint64_t runs = jobs_ * std::max<uint64_t>(1, kCommandsOfAJob / commands_per_run_);
    return runs_max_ == 0 ? runs : std::min(runs, runs_max_ - runs_);
  }

  Outcome RunSeed(uint64_t seed, AbortNote& note) const {
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

  absl::StatusOr<ExitCode> ReportDivergence(uint64_t seed, const engine::RandomRun& run,
                                            Console& console) const {
    const std::string journal = output_ + ".tape";
    const std::string transcript = output_ + ".txt";
    const engine::Session shrunk = engine::Shrink(run.session, make_candidate_);
    // A journal cannot begin before 1970, but an engine's session can; shrinking moves a session to
    // a later time.
    const bool is_recordable = run.session.front().command.timestamp >= engine::Timestamp();
    RETURN_IF_ERROR(WriteJournal(journal, seed, is_recordable ? run.session : shrunk));
    const std::string text = engine::ToTranscript(
        absl::StrCat("Found by ticktape fuzz --seed ", seed, " --runs 1."), shrunk);
    RETURN_IF_ERROR(WriteFile(transcript, text, /*replace=*/true));
    const auto candidate = make_candidate_();
    const auto divergence = engine::Compare(shrunk, *candidate, {.invariants_every = ~size_t{0}});
    Report report("ticktape.fuzz/1");
    report.Field("agrees", false);
    report.Field("seed", seed);
    report.Field("commands", commands_);
    report.Line(Styled(Style::kRed, "DIFFERENT"), ": seed ", seed, ", scenario ",
                engine::ScenarioName(seed), ", command ", run.divergence->index + 1, "; shrunk to ",
                shrunk.size(), ":");
    report.Lines(ConsoleText::Lines(text));
    report.Lines(ConsoleText::Lines((divergence.has_value() ? divergence : run.divergence)->what));
    report.Fact("journal", "journal", journal);
    report.Fact("transcript", "transcript", transcript);
    report.PrintTo(console);
    return ExitCode::kDifferent;
  }

  void ReportAgreement(Console& console, double seconds) const {
    Report report("ticktape.fuzz/1");
    report.Field("agrees", true);
    report.Field("seed", seed_);
    report.Field("runs", runs_);
    report.Field("commands", commands_);
    report.Field("seconds", seconds);
    report.Line(Styled(Style::kGreen, "EQUAL"), ": ", Counted(commands_, "command"),
                " compared in ", Counted(runs_, "run"), ", ", HumanSeconds(seconds));
    report.Row("seeds", seed_, " to ", seed_ + runs_ - 1);
    for (const auto& [scenario, commands] : by_scenario_) {
      report.Row(scenario, Counted(commands, "command"));
    }
    report.Fact("events", "events", coverage_.events());
    for (const FuzzCoverage::Row& row : coverage_.Rows()) {
      report.Row(row.what, row.ToString());
      report.Field(absl::StrCat(row.what, "_reached"), row.reached);
      report.Field(absl::StrCat(row.what, "_all"), row.all);
    }
    report.PrintTo(console);
  }

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

}  // namespace

std::unique_ptr<Verb> MakeFuzzVerb(engine::CandidateFactory make_candidate) {
  return std::make_unique<FuzzVerb>(std::move(make_candidate));
}

std::unique_ptr<Verb> MakeFuzzVerb() {
  return MakeFuzzVerb([] { return std::make_unique<engine::CandidateOf<engine::Exchange>>(); });
}

// ---- Coverage

namespace {

struct CategoryInfo {
  const char* what;
  const char* of;
  size_t size;  // Of the numbers; the first stands for no value.
  std::string (*name_of)(size_t number);
};

// By FuzzCoverage::Category.
constexpr CategoryInfo kCategoryInfos[] = {
    {"commands", "kinds carried out", static_cast<size_t>(engine::kLastCommandKind) + 1,
     [](size_t i) { return std::string(NameOf(static_cast<engine::CommandKind>(i))); }},
    {"refusals", "reasons", engine::kRejectReasonNames.size(),
     [](size_t i) { return std::string(engine::kRejectReasonNames[i]); }},
    {"cancels", "reasons", engine::kCancelReasonNames.size(),
     [](size_t i) { return std::string(engine::kCancelReasonNames[i]); }}};

}  // namespace

// Ignores unknown numbers.
void FuzzCoverage::Reach(Category category, size_t number) {
  if (number < kCategoryInfos[category].size) reached_[category].set(number);
}

void FuzzCoverage::Count(const engine::Command& command, std::span<const engine::Event> events) {
  events_ += events.size();
  bool is_refused = false;
  for (const engine::Event& event : events) {
    if (event.kind == engine::EventKind::kRejected) {
      is_refused = true;
      Reach(kRefusals, event.detail);
    } else if (event.kind == engine::EventKind::kCancelled) {
      Reach(kCancels, event.detail);
    }
  }
  if (!is_refused) Reach(kCommands, static_cast<size_t>(command.kind));
}

void FuzzCoverage::Add(const FuzzCoverage& other) {
  for (size_t i = 0; i < kCategories; ++i) reached_[i] |= other.reached_[i];
  events_ += other.events_;
}

std::vector<FuzzCoverage::Row> FuzzCoverage::Rows() const {
  std::vector<Row> rows;
  for (size_t i = 0; i < kCategories; ++i) {
    const CategoryInfo& info = kCategoryInfos[i];
    Row& row = rows.emplace_back(Row{.what = info.what, .of = info.of, .missing = {}});
    row.all = info.size - 1;
    for (size_t number = 1; number < info.size; ++number) {
      if (!reached_[i][number]) row.missing.push_back(info.name_of(number));
    }
    row.reached = row.all - row.missing.size();
  }
  return rows;
}

std::string FuzzCoverage::Row::ToString() const {
  std::string text = absl::StrCat(reached, " of ", all, " ", of);
  if (!missing.empty()) absl::StrAppend(&text, ", but not ", absl::StrJoin(missing, ", "));
  return text;
}

}  // namespace tools
