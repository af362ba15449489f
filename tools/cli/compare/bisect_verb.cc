// ticktape bisect: finds the first command at which two engines diverge, or a predicate holds.

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/status_macros.h"
#include "journal/digest_sidecar.h"
#include "journal/log_digest.h"
#include "journal/prefix_digests.h"
#include "replay/compare/explanation.h"
#include "replay/compare/lock_step.h"
#include "replay/compare/subject.h"
#include "replay/log_source.h"
#include "replay/trace_vector.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/json.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/base/options.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/base/report_row.h"
#include "tools/cli/compare/bisect_predicates.h"
#include "tools/cli/compare/difference_report.h"
#include "tools/cli/compare/engine_states.h"
#include "tools/cli/compare/subject_option.h"
#include "tools/cli/compare/trace_cache.h"
#include "tools/cli/compare/verbs.h"
#include "tools/cli/read/market_follower.h"
#include "tools/cli/replay/replay_report.h"
#include "tools/os/child_process.h"

namespace tools {
namespace {

constexpr char kRecorded[] = "recorded";

class BisectVerb final : public Verb {
 public:
  const char* name() const override { return "bisect"; }
  const char* summary() const override {
    return "The first command at which two engines part, or something turns";
  }
  const char* examples() const override {
    return "  ticktape bisect a.tape --engine-b ./other/ticktape\n"
           "  ticktape bisect a.tape --engine-b fast --pred 'event trade.quantity > 1000'\n"
           "  ticktape bisect a.tape --engine-b fast --pred 'exec ./script'\n"
           "  git bisect run ticktape bisect a.tape --engine-b bazel-bin/tools/cli/ticktape \\\n"
           "      --build 'bazel build -c opt //tools/cli:ticktape'\n"
           "\n"
           "Predicates but diverge are about engine B alone: crash, invariant (of its own),\n"
           "invariant:E2, invariant:E3 (its books), 'event CONDITION', 'exec PROGRAM' (given a\n"
           "journal of the first commands; exit code 0 is good, 125 that it cannot say).\n"
           "Engine A is the recorded run, by its digests, unless it is named. What had to be\n"
           "computed is kept (--cache); engines go on from the journal's snapshots where they "
           "were\n"
           "in the same state. Exit codes, those of git bisect run: 0 nothing found, 1 found, 125\n"
           "this build cannot answer.";
  }
  void Declare(Options& options) override;
  absl::StatusOr<ExitCode> Run(Console& console) override;

 private:
  absl::StatusOr<ExitCode> FindTurning(Console& console);
  absl::StatusOr<ExitCode> Engines(Console& console);
  absl::StatusOr<ExitCode> InLockStep(Console& console);
  absl::Status OpenEngines();
  bool Build(Console& console);
  absl::StatusOr<engine::Digest> LogDigest();
  absl::StatusOr<std::vector<journal::Checkpoint>> TraceOf(
      replay::Subject& subject, const std::vector<journal::Checkpoint>* against, Console& console);
  absl::StatusOr<std::optional<replay::DifferingRun>> FindRun(Console& console);
  ExitCode ReportSame(Console& console, absl::string_view what) const;
  absl::StatusOr<ExitCode> ReportDifference(const replay::Difference& difference, Console& console);
  void PrintSteps(Console& console) const;
  void WriteSteps(JsonObject& json) const;

  std::string path_;
  std::string engine_a_ = kRecorded;
  std::string engine_b_;
  std::string predicate_ = kDiverge;
  std::string build_;
  std::string cache_ = TraceCache::DefaultFolder();
  bool exhaustive_ = false;

  OpenedJournal opened_;
  std::unique_ptr<EngineStates> states_;
  std::unique_ptr<replay::Subject> a_;
  std::unique_ptr<replay::Subject> b_;
  std::vector<std::string> steps_;
};

void BisectVerb::Declare(Options& options) {
  options.Add("journal", path_, "The journal's folder").Required().Type("JOURNAL");
  options.Add("--engine-a", engine_a_, "recorded, or as --engine-b").Type("ENGINE").ShowDefault();
  options.Add("--engine-b", engine_b_, kSubjectHelp).Required().Type("ENGINE");
  options.Add("--pred", predicate_, kPredicateHelp).Type("PREDICATE").ShowDefault();
  options.Add("--build", build_, "What to run first; 125 where it fails").Type("COMMAND");
  options.Add("--cache", cache_, "Where computed digests are kept; '' for nowhere").Type("FOLDER");
  options.AddFlag("--exhaustive", exhaustive_, "With exec: try every prefix, in order");
}

// Returns false if this commit cannot be tested.
bool BisectVerb::Build(Console& console) {
  if (build_.empty()) return true;
  const auto child = ChildProcess::Start({"sh", "-c", build_});
  if (!child.ok()) {
    console.Error("ticktape bisect: --build: ", ConsoleText::Message(child.status().message()),
                  "\n");
    return false;
  }
  std::array<std::byte, 4096> ignored;
  for (auto got = (*child)->Read(ignored); got.ok() && *got > 0; got = (*child)->Read(ignored)) {
  }
  const int code = (*child)->Wait();
  if (code == 0) return true;
  console.Error("ticktape bisect: this commit cannot be built: '", build_,
                "': ", DescribeExit(code), "\n  ", ConsoleText::Message((*child)->last_words()),
                "\n");
  return false;
}

absl::StatusOr<ExitCode> BisectVerb::Run(Console& console) {
  if (!Build(console)) return ExitCode::kSkip;
  ASSIGN_OR_RETURN(opened_, OpenJournal(path_));
  RETURN_IF_ERROR(CheckBeginsWithFirst(opened_.reader->info()));
  states_ = EngineStates::Open(opened_);
  absl::StatusOr<ExitCode> code = predicate_ == kDiverge ? Engines(console) : FindTurning(console);
  // Another build may give an answer where this one cannot, so `git bisect` skips it. An invalid
  // command line is an error for every build.
  const bool skip =
      !code.ok() && !absl::IsInvalidArgument(code.status()) && !absl::IsOutOfRange(code.status());
  if (!skip) return code;
  console.Error("ticktape bisect: ", ConsoleText::Message(code.status().message()), "\n");
  return ExitCode::kSkip;
}

void BisectVerb::PrintSteps(Console& console) const {
  for (size_t i = 0; i < steps_.size(); ++i) {
    PrintRow(console, i == 0 ? "how" : "", steps_[i]);
  }
}

void BisectVerb::WriteSteps(JsonObject& json) const {
  json.BeginArray("steps");
  for (const std::string& step : steps_) json.Element(step);
  json.EndArray();
}

ExitCode BisectVerb::ReportSame(Console& console, absl::string_view what) const {
  if (console.json()) {
    JsonObject json("ticktape.bisect/1");
    json.Field("path", path_);
    json.Field("found", false);
    WriteSteps(json);
    console.PrintLine(json.Take());
    return ExitCode::kOk;
  }
  console.PrintLine(console.Styled(Style::kGreen, "NOTHING FOUND"), "  ", path_, ": ", what);
  PrintSteps(console);
  return ExitCode::kOk;
}

// ---- Predicates

absl::StatusOr<ExitCode> BisectVerb::FindTurning(Console& console) {
  ASSIGN_OR_RETURN(const Predicate predicate, ParsePredicate(predicate_));
  TurnOptions options{.exhaustive = exhaustive_};
  if (predicate.kind == Predicate::Kind::kExec && !cache_.empty()) {
    ASSIGN_OR_RETURN(const engine::Digest log, LogDigest());
    std::error_code error;
    std::filesystem::create_directories(cache_, error);
    options.memory =
        absl::StrCat(cache_, "/", log.ToString(), "-",
                     engine::DigestOf(engine::AsBytes(predicate_)).ToString(), ".exec");
  }
  Progress progress(console, "bisect", "records", opened_.reader->info().record_count());
  ASSIGN_OR_RETURN(const std::optional<Turn> turn,
                   FindTurn(predicate, *opened_.reader, engine_b_, options, progress, steps_));
  progress.Clear();
  if (!turn.has_value()) return ReportSame(console, NothingTurned(predicate));
  if (console.json()) {
    JsonObject json("ticktape.bisect/1");
    json.Field("path", path_);
    json.Field("found", true);
    json.Field("predicate", predicate_);
    json.Field("sequence", turn->sequence.value());
    json.Field("what", turn->what);
    WriteSteps(json);
    console.PrintLine(json.Take());
    return ExitCode::kDifferent;
  }
  console.PrintLine(console.Styled(Style::kRed, "FOUND"), " at @", turn->sequence.value(), "  ",
                    path_);
  PrintRow(console, "predicate", predicate_);
  PrintRow(console, "what", turn->what);
  PrintSteps(console);
  PrintRow(console, "next",
           absl::StrCat("ticktape inspect ", ShellWord(path_), " @", turn->sequence.value()));
  return ExitCode::kDifferent;
}

// ---- Two engines

absl::Status BisectVerb::OpenEngines() {
  if (engine_a_ != kRecorded) {
    ASSIGN_OR_RETURN(a_, OpenSubject(engine_a_));
  }
  ASSIGN_OR_RETURN(b_, OpenSubject(engine_b_));
  return absl::OkStatus();
}

// Continues from the sidecar's checkpoint at the end of the last complete run, if the journal
// confirms it; else reads the whole journal.
absl::StatusOr<engine::Digest> BisectVerb::LogDigest() {
  const journal::JournalInfo& info = opened_.reader->info();
  const engine::SequenceNumber runs_end = journal::CompleteRunsEnd(info.last_sequence);
  std::optional<journal::LogDigest> digest;
  const auto recorded = journal::ReadSidecar(*opened_.directory, info.uuid, info.last_sequence);
  if (recorded.ok()) {
    journal::PrefixDigests digests(*opened_.directory);
    for (const journal::Checkpoint& checkpoint : *recorded) {
      if (checkpoint.sequence != runs_end || !checkpoint.log.has_value()) continue;
      if (digests.Check(runs_end, *checkpoint.log).ok()) {
        digest.emplace(runs_end, *checkpoint.log);
      }
    }
  }
  if (!digest.has_value()) digest.emplace();
  RETURN_IF_ERROR(opened_.reader->SeekToSequence(digest->last().Next()));
  while (true) {
    ASSIGN_OR_RETURN(const journal::Batch batch, opened_.reader->NextBatch());
    if (batch.empty()) return digest->Value();
    digest->Add(batch.rows, batch.attachments);
  }
}

// Returns the trace from the cache, or takes it in one pass, which ends early at the first
// checkpoint that differs from `against`.
absl::StatusOr<std::vector<journal::Checkpoint>> BisectVerb::TraceOf(
    replay::Subject& subject, const std::vector<journal::Checkpoint>* against, Console& console) {
  const TraceCache cache(cache_);
  ASSIGN_OR_RETURN(const engine::Digest log, LogDigest());
  const std::string& name = subject.identity().name;
  replay::JournalSource source(*opened_.reader);
  std::vector<journal::Checkpoint> trace = cache.Find(log, subject.identity(), source.last());
  // A trace that ended early is usable as long as it diverges from the same vector.
  const bool is_whole = !trace.empty() && trace.back().sequence == source.last();
  const bool has_parted = !trace.empty() && against != nullptr &&
                          replay::CompareTraces(*against, trace).differing.has_value();
  if (is_whole || has_parted) {
    steps_.push_back(
        absl::StrCat(name, ": ", WithCommas(trace.size()), " digests from the cache, no replay"));
    for (replay::SavedState& state : cache.FindStates(log, subject.identity())) {
      states_->states().Keep(std::move(state));
    }
    return trace;
  }
  trace.clear();
  Progress progress(console, "bisect", "records", source.last().value());
  bool parted = false;
  RETURN_IF_ERROR(replay::TakeTrace(
      source, subject, source.last(),
      [&](const journal::Checkpoint& checkpoint) {
        trace.push_back(checkpoint);
        progress.Show(checkpoint.sequence.value());
        if (against == nullptr || trace.size() % 64 != 0) return true;
        parted = replay::CompareTraces(*against, trace).differing.has_value();
        return !parted;
      },
      &states_->states()));
  steps_.push_back(absl::StrCat(
      name, ": one pass",
      parted ? absl::StrCat(", ended at @", trace.back().sequence.value(), " because it has parted")
             : absl::StrCat(", ", WithCommas(trace.size()), " digests"),
      cache_.empty() ? "" : ", kept for the next time"));
  RETURN_IF_ERROR(cache.Keep(log, subject.identity(), trace));
  RETURN_IF_ERROR(cache.KeepStates(log, subject.identity(), states_->states().Kept()));
  return trace;
}

absl::StatusOr<std::optional<replay::DifferingRun>> BisectVerb::FindRun(Console& console) {
  std::vector<journal::Checkpoint> trace_a;
  if (a_ == nullptr) {
    const journal::JournalInfo& info = opened_.reader->info();
    auto recorded = journal::ReadSidecar(*opened_.directory, info.uuid, info.last_sequence);
    if (!recorded.ok()) {
      return absl::FailedPreconditionError(absl::StrCat("the recorded run left no digests (",
                                                        recorded.status().message(),
                                                        "); name an engine: --engine-a fast"));
    }
    trace_a = *std::move(recorded);
    steps_.push_back(absl::StrCat("recorded: ", WithCommas(trace_a.size()), " digests"));
  } else {
    ASSIGN_OR_RETURN(trace_a, TraceOf(*a_, nullptr, console));
  }
  ASSIGN_OR_RETURN(const std::vector<journal::Checkpoint> trace_b, TraceOf(*b_, &trace_a, console));
  const replay::TraceComparison compared = replay::CompareTraces(trace_a, trace_b);
  if (!compared.comparable || compared.common == 0) {
    return absl::FailedPreconditionError(
        "the digests of the two runs cannot be compared: one was taken without states, or they "
        "have no checkpoint in common; name an engine: --engine-a fast");
  }
  if (!compared.differing.has_value()) return std::nullopt;
  // Up to this point both engines were in the recorded states, so they may start from them.
  for (const journal::Checkpoint& checkpoint : trace_b) {
    if (checkpoint.sequence > compared.differing->equal || !checkpoint.state.has_value()) continue;
    states_->states().Know(checkpoint.sequence, *checkpoint.state);
  }
  steps_.push_back(absl::StrCat("halving: ", compared.looked_at, " of ",
                                WithCommas(compared.common), " digests looked at; equal at @",
                                compared.differing->equal.value(), ", different at @",
                                compared.differing->differs.value()));
  return compared.differing;
}

// An engine that crashes leaves no complete trace, so both run in lock step instead.
absl::StatusOr<ExitCode> BisectVerb::InLockStep(Console& console) {
  steps_.push_back("an engine ended on the way: both in lock step instead, run by run");
  replay::JournalSource source(*opened_.reader);
  Progress progress(console, "bisect", "records", source.last().value());
  ASSIGN_OR_RETURN(const std::optional<replay::Difference> difference,
                   replay::FindFirstDifference(
                       source, *a_, *b_, source.last(),
                       {.progress = [&](engine::SequenceNumber at) { progress.Show(at.value()); },
                        .states = &states_->states()}));
  progress.Clear();
  if (!difference.has_value()) return ReportSame(console, "no difference in lock step");
  return ReportDifference(*difference, console);
}

absl::StatusOr<ExitCode> BisectVerb::Engines(Console& console) {
  RETURN_IF_ERROR(OpenEngines());
  const absl::StatusOr<std::optional<replay::DifferingRun>> run = FindRun(console);
  if (run.ok() && !run->has_value()) return ReportSame(console, "all digests are equal");
  if (!run.ok() && !absl::IsAborted(run.status())) return run.status();
  const bool is_recorded = a_ == nullptr;
  if (is_recorded) {
    ASSIGN_OR_RETURN(a_, OpenSubject("fast"));
    engine_a_ = "fast";
  }
  if (!run.ok()) return InLockStep(console);
  const replay::DifferingRun& parted = **run;
  replay::JournalSource source(*opened_.reader);
  const absl::StatusOr<replay::Difference> difference = replay::FindDifferenceWithin(
      source, *a_, *b_, parted.equal, parted.differs, {.states = &states_->states()});
  steps_.push_back(absl::StrCat("to @", parted.equal.value(), ", then command by command",
                                is_recorded ? ", against this program's engine: " : ": ",
                                states_->ToString()));
  if (is_recorded && absl::IsInternal(difference.status())) {
    console.Note("ticktape bisect: B parted from the recorded run between @",
                 parted.equal.Next().value(), " and @", parted.differs.value(),
                 ", but this program's engine does there what B does; name the engine that "
                 "recorded it: --engine-a");
    return ExitCode::kDifferent;
  }
  RETURN_IF_ERROR(difference.status());
  return ReportDifference(*difference, console);
}

absl::StatusOr<ExitCode> BisectVerb::ReportDifference(const replay::Difference& difference,
                                                      Console& console) {
  replay::JournalSource source(*opened_.reader);
  ASSIGN_OR_RETURN(const replay::Explanation explanation,
                   replay::Explain(source, *a_, *b_, difference, &states_->states()));
  MarketFollower markets;
  RETURN_IF_ERROR(states_->FollowMarkets(*opened_.reader, difference.sequence(), markets));
  const DifferenceReport report = {.path = path_,
                                   .engine_a = engine_a_,
                                   .engine_b = engine_b_,
                                   .identity_a = a_->identity(),
                                   .identity_b = b_->identity(),
                                   .difference = difference,
                                   .explanation = explanation,
                                   .markets = markets.markets()};
  if (!console.json()) {
    PrintDifference(console, report);
    PrintSteps(console);
    states_->Print(console);
    return ExitCode::kDifferent;
  }
  JsonObject json("ticktape.bisect/1");
  json.Field("path", path_);
  json.Field("found", true);
  WriteSteps(json);
  states_->Write(json);
  WriteDifference(json, report);
  console.PrintLine(json.Take());
  return ExitCode::kDifferent;
}

}  // namespace

std::unique_ptr<Verb> MakeBisectVerb() { return std::make_unique<BisectVerb>(); }

}  // namespace tools
