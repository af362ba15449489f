// ticktape minimize: shrinks a failing journal.

#include <functional>
#include <span>

#include "absl/strings/str_replace.h"
#include "replay/compare/failure.h"
#include "replay/compare/fixture_text.h"
#include "replay/compare/lock_step.h"
#include "replay/compare/minimize.h"
#include "replay/compare/write_log.h"
#include "replay/log_source.h"
#include "replay/output.h"
#include "replay/vocabulary.h"
#include "tools/cli/base/subject_option.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/compare/bisect_predicates.h"
#include "tools/cli/compare/compared_engines.h"
#include "tools/os/clocks.h"
#include "tools/os/output_folder.h"

namespace tools {
namespace {

// The output files are NAME plus these suffixes.
constexpr char kTape[] = ".tape";
constexpr char kText[] = ".txt";
constexpr char kBazel[] = ".bazel";

// Longer transcripts are only written to the file.
constexpr size_t kShownMax = 100;

// A longer log that is no smaller than the journal's up to the failure is not written: its text
// takes longer than the search.
constexpr size_t kWrittenUnchangedMax = 100'000;

constexpr char kStanza[] =
    R"bazel(load("//tools/build_defs:ticktape.bzl", "ticktape_differential_test")

# $CLASS. Made by ticktape minimize; $NAME.txt is the same log as text.
ticktape_differential_test(
    name = "$NAME_test",
    journal = glob(["$NAME.tape/**"]),
    engine_a = "$A",
    engine_b = "$B",$NOTE
    state_every = 1,
)
)bazel";

constexpr char kExamples[] = R"(  ticktape minimize a.tape --engine-b ./other/ticktape -o found
  ticktape minimize a.tape --engine-b ./other/ticktape --pred crash --budget 5m
  ticktape minimize a.tape --engine-b fast --pred 'event trade.quantity > 1000'

The failure: engines A and B part (diverge), or something about B turns, as for
bisect. Every log that is tried must fail in the same way: same command and field,
same place in the source, same predicate. Writes NAME.tape, a journal with A's
digests; NAME.txt, the same commands with A's answers, to be reviewed; NAME.bazel, a
test to paste. Exit code 1: there is a failure, and here it is; 7: the same, but the
time ran out before no smaller log was left to try, or nothing, if it ran out before
any smaller one was found; 0: there is none.)";

class MinimizeVerb final : public Verb {
 public:
  MinimizeVerb()
      : Verb("minimize", "Make a journal small that still shows the same failure", kExamples) {}

  void Declare(Options& options) override {
    options.Add("journal", path_, "The journal's folder").Required().Type("JOURNAL");
    options.Add("--engine-a", engines_.engine_a, "The one that is right")
        .Type("ENGINE")
        .ShowDefault();
    options.Add("--engine-b", engines_.engine_b, kSubjectHelp).Required().Type("ENGINE");
    options.Add("--pred", predicate_, kPredicateHelp).Type("PREDICATE").ShowDefault();
    options.Add("-o,--output", output_, "What the files are called").Type("NAME").ShowDefault();
    options.Add("--budget", budget_seconds_, "After which the smallest so far is taken; 90s, 5m")
        .Type("TIME")
        .ShowDefault()
        .TimeSpan(/*unit_is_required=*/false, "90s, 5m or 1h")
        .InRange(uint64_t{1}, uint64_t{1'000'000});
    options.Add("--seed", seed_, "What is tried first; another may find a smaller one")
        .Type("NUMBER")
        .ShowDefault();
  }

  absl::StatusOr<ExitCode> Run(Console& console) override {
    const Stopwatch stopwatch;
    std::optional<Predicate> predicate;
    if (predicate_ != kDiverge) {
      ASSIGN_OR_RETURN(predicate, ParsePredicate(predicate_));
    }
    RETURN_IF_ERROR(engines_.OpenJournalAt(path_));
    // An early check, before the work.
    for (const char* const ending : {kTape, kText, kBazel}) {
      RETURN_IF_ERROR(CheckNothingIsAt(output_ + ending));
    }
    const journal::JournalInfo& info = engines_.opened.reader->info();
    ASSIGN_OR_RETURN(application_, ApplicationOf(info));
    if (predicate.has_value() && predicate->is_of_exchange()) {
      RETURN_IF_ERROR(CheckIsOfExchange(info));
    }
    is_of_exchange_ = IsOfExchange(info);
    vocabulary_ = VocabularyOf(info);
    const bool may_end = predicate.has_value() && predicate->may_end();
    RETURN_IF_ERROR(engines_.OpenBoth(may_end ? Isolation::kOwnProcess : Isolation::kNone));
    const auto seconds_max = static_cast<double>(budget_seconds_);
    const std::function<bool()> out_of_time = [&] { return stopwatch.Seconds() > seconds_max; };
    replay::JournalSource journal(*engines_.opened.reader);
    replay::TimedSource source(journal, out_of_time);
    const absl::StatusOr<std::optional<replay::FailureTest>> found =
        FindFailure(source, predicate, out_of_time, console);
    if (absl::IsDeadlineExceeded(found.status())) {
      return ReportOutOfTime("before a failure was found", console);
    }
    RETURN_IF_ERROR(found.status());
    const std::optional<replay::FailureTest>& test = *found;
    Report report("ticktape.minimize/1");
    report.Field("path", path_);
    report.Field("commands_before", source.last());
    report.Field("fails", test.has_value());
    if (!test.has_value()) {
      report.Line(Styled(Style::kGreen, "NO FAILURE"), "  ", path_, ": nothing to do");
      report.PrintTo(console);
      return ExitCode::kOk;
    }
    const std::string none_smaller =
        absl::StrCat("before a log smaller than that up to the failure, @", test->fails_at.value(),
                     ", was found");
    const bool is_long = test->fails_at.value() > kWrittenUnchangedMax;
    absl::StatusOr<replay::Log> log = replay::LoadLog(
        is_long ? static_cast<replay::LogSource&>(source) : journal, test->fails_at);
    if (absl::IsDeadlineExceeded(log.status())) return ReportOutOfTime(none_smaller, console);
    RETURN_IF_ERROR(log.status());
    Progress progress(console, "minimize", "candidates", 0);
    const replay::MinimizeOptions options = {
        .seed = seed_, .out_of_time = out_of_time, .progress = [&](size_t, uint64_t tried) {
          progress.Show(tried);
        }};
    ASSIGN_OR_RETURN(const replay::Minimized result,
                     is_of_exchange_ ? replay::MinimizeCommands(*std::move(log), *test, options)
                                     : replay::Minimize(*std::move(log), *test, options));
    progress.Clear();
    if (is_long && !result.complete && result.log.size() == test->fails_at.value()) {
      return ReportOutOfTime(none_smaller, console);
    }
    ASSIGN_OR_RETURN(const std::string text, Text(result.log, test->failure_class));
    RETURN_IF_ERROR(WriteFiles(result.log, text, test->failure_class));
    const double seconds = stopwatch.Seconds();
    report.Line(Styled(Style::kBold, path_), ": ", Counted(source.last().value(), "command"),
                ", failing at @", test->fails_at, ", shrunk to ",
                Styled(Style::kGreen, WithCommas(result.log.size())));
    report.Field("failed_at", test->fails_at);
    report.Fact("class", "class", test->failure_class);
    report.Field("commands", result.log.size());
    report.Field("candidates", result.tried);
    report.Field("complete", result.complete);
    report.Field("seconds", seconds);
    report.Row("tried", WithCommas(result.tried), " candidates in ", HumanSeconds(seconds),
               result.complete ? "" : "; the time ran out, it could be smaller (--budget)");
    report.Fact("journal", "journal", output_ + kTape);
    report.Fact("transcript", "transcript", output_ + kText);
    if (is_of_exchange_) report.Fact("bazel", "bazel", output_ + kBazel);
    if (result.log.size() <= kShownMax) {
      report.Line();
      report.Lines(ConsoleText::Lines(text));
    }
    report.PrintTo(console);
    return result.complete ? ExitCode::kDifferent : ExitCode::kOutOfTime;
  }

 private:
  ExitCode ReportOutOfTime(absl::string_view when, Console& console) const {
    Report report("ticktape.minimize/1");
    report.Field("path", path_);
    report.Field("complete", false);
    report.Line(Styled(Style::kRed, "OUT OF TIME"), "  ", path_, ": the time ran out ", when,
                "; allow more with --budget");
    report.PrintTo(console);
    return ExitCode::kOutOfTime;
  }

  // Returns nullopt if there is no failure. Errors: DEADLINE_EXCEEDED, also of `source`.
  absl::StatusOr<std::optional<replay::FailureTest>> FindFailure(
      replay::LogSource& source, const std::optional<Predicate>& predicate,
      const std::function<bool()>& out_of_time, Console& console) const {
    Progress progress(console, "find", "records", source.last().value());
    if (!predicate.has_value()) {
      ASSIGN_OR_RETURN(
          const std::optional<replay::Divergence> divergence,
          replay::FindFirstDivergence(
              source, *engines_.a, *engines_.b,
              {.progress = [&](engine::SequenceNumber at) { progress.Show(at.value()); },
               .states = engines_.states.get()}));
      if (!divergence.has_value()) return std::nullopt;
      return replay::PartingTest(*engines_.a, *engines_.b, *divergence, *vocabulary_);
    }
    std::vector<std::string> steps;
    ASSIGN_OR_RETURN(const std::optional<replay::Turn> turn,
                     FindTurn(*predicate, *engines_.opened.reader, engines_.engine_b,
                              {.out_of_time = out_of_time}, progress, steps));
    if (!turn.has_value()) return std::nullopt;
    ASSIGN_OR_RETURN(replay::FailureTest test,
                     MakeTurnTest(*predicate, *engines_.b, *engines_.a, *application_, *turn));
    return test;
  }

  // Returns the rows, and the outputs of engine A. Rows of another application than the exchange
  // are not parsed back.
  absl::StatusOr<std::string> Text(const replay::Log& log, const std::string& failure_class) {
    const std::string title =
        absl::StrCat(failure_class, "\nMade by ticktape minimize; below, what engine A answers.");
    std::string text = replay::FixtureText(title, is_of_exchange_ ? log : replay::Log());
    for (const replay::LogEntry& entry : log) {
      vocabulary_->Follow(entry.record());
      if (!is_of_exchange_) absl::StrAppend(&text, vocabulary_->Text(entry.record()), "\n");
    }
    text += "----\n";
    replay::MemorySource source(log);
    RETURN_IF_ERROR(engines_.a->Reset());
    RETURN_IF_ERROR(source.Seek(engine::SequenceNumber::First()));
    while (true) {
      ASSIGN_OR_RETURN(const journal::Batch run, source.NextRun());
      if (run.empty()) return text;
      RETURN_IF_ERROR(replay::Put(*engines_.a, run, {}).status());
      ASSIGN_OR_RETURN(const std::span<const replay::Output> outputs, engines_.a->Outputs());
      for (const replay::Output& output : outputs) {
        absl::StrAppend(&text, vocabulary_->Text(output), "\n");
      }
    }
  }

  // The Bazel label of a foreign program is unknown, so this repository's engine takes its place.
  std::string Stanza(const std::string& failure_class) const {
    const std::string name = output_.substr(output_.find_last_of('/') + 1);
    const auto& own = replay::kEngineNames;
    const bool b_is_own = std::find(own.begin(), own.end(), engines_.engine_b) != own.end();
    const bool b_is_fast = !b_is_own || engines_.engine_b == "fast";
    return absl::StrReplaceAll(
        kStanza, {{"$CLASS", failure_class},
                  {"$NAME", name},
                  {"$A", b_is_fast ? "reference" : "fast"},
                  {"$B", b_is_fast ? "fast" : "reference"},
                  {"$NOTE", b_is_own ? "" : "  # Or the label of the program that failed."}});
  }

  // Reads both forms back, to check that the files contain the same log and that it fails.
  absl::Status WriteFiles(const replay::Log& log, const std::string& text,
                          const std::string& failure_class) const {
    const journal::JournalMetadata metadata = is_of_exchange_
                                                  ? ExchangeMetadata("ticktape minimize")
                                                  : engines_.opened.reader->info().metadata;
    ASSIGN_OR_RETURN(const std::unique_ptr<UnfinishedFolder> tape,
                     UnfinishedFolder::Create(output_ + kTape));
    RETURN_IF_ERROR(replay::WriteLog(tape->directory(), log, metadata, engines_.a.get()));
    RETURN_IF_ERROR(WriteFile(output_ + kText, text, /*replace=*/false));
    if (is_of_exchange_) {
      RETURN_IF_ERROR(WriteFile(output_ + kBazel, Stanza(failure_class), /*replace=*/false));
    }
    RETURN_IF_ERROR(tape->Finish());
    ASSIGN_OR_RETURN(const OpenedJournal written, OpenJournal(output_ + kTape));
    replay::JournalSource source(*written.reader);
    ASSIGN_OR_RETURN(const replay::Log from_journal, replay::LoadLog(source, source.last()));
    std::string why;
    if (!is_of_exchange_) {
      if (replay::SameLog(from_journal, log, why)) return absl::OkStatus();
      return absl::InternalError(absl::StrCat(output_, kTape, " is not the log: ", why));
    }
    ASSIGN_OR_RETURN(const replay::Log from_text, replay::ParseFixtureText(output_ + kText, text));
    if (replay::SameLog(from_journal, from_text, why)) return absl::OkStatus();
    return absl::InternalError(
        absl::StrCat(output_, kTape, " and ", output_, kText, " are not the same log: ", why));
  }

  std::string path_;
  ComparedEngines engines_{.engine_a = "fast"};
  std::string predicate_ = kDiverge;
  const replay::Application* application_ = nullptr;  // Of the journal.
  std::string output_ = "minimized";
  uint64_t budget_seconds_ = 60;
  uint64_t seed_ = 0;
  bool is_of_exchange_ = true;
  std::unique_ptr<replay::Vocabulary> vocabulary_;
};

}  // namespace

std::unique_ptr<Verb> MakeMinimizeVerb() { return std::make_unique<MinimizeVerb>(); }

}  // namespace tools
