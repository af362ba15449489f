// ticktape bisect: finds the first command at which two engines diverge, or a predicate holds.

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "engine/base/digest.h"
#include "replay/compare/digest_bisection.h"
#include "replay/compare/failure.h"
#include "replay/compare/lock_step.h"
#include "replay/compare/subject.h"
#include "replay/log_source.h"
#include "tools/cli/base/subject_option.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/compare/bisect_predicates.h"
#include "tools/cli/compare/compared_engines.h"
#include "tools/os/child_process.h"

namespace tools {
namespace {

constexpr char kRecorded[] = "recorded";

// Returns $XDG_CACHE_HOME/ticktape, or ~/.cache/ticktape; "" if neither variable is set.
std::string DefaultCache() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0') {
    return absl::StrCat(cache, "/ticktape");
  }
  const char* home = std::getenv("HOME");
  return home == nullptr || *home == '\0' ? "" : absl::StrCat(home, "/.cache/ticktape");
}

// As DigestBisectionOptions::open_cache.
absl::StatusOr<std::unique_ptr<journal::Directory>> OpenCache(const std::string& cache,
                                                              const std::string& name,
                                                              bool make_new) {
  const std::string path = absl::StrCat(cache, "/", name);
  if (!make_new) return journal::OpenPosixDirectory(path, journal::DirectoryMode::kReadOnly);
  std::error_code error;
  std::filesystem::create_directories(cache, error);
  if (error) return absl::UnavailableError(absl::StrCat(cache, ": ", error.message()));
  std::filesystem::remove_all(path, error);
  return journal::OpenPosixDirectory(path, journal::DirectoryMode::kCreate);
}

constexpr char kExamples[] = R"(  ticktape bisect a.tape --engine-b ./other/ticktape
  ticktape bisect a.tape --engine-b fast --pred 'event trade.quantity > 1000'
  ticktape bisect a.tape --engine-b fast --pred 'exec ./script'
  git bisect run ticktape bisect a.tape --engine-b bazel-bin/tools/cli/ticktape \
      --build 'bazel build -c opt //tools/cli:ticktape'

Predicates but diverge are about engine B alone: crash, invariant (of its own),
invariant:E2, invariant:E3 (its books), 'event CONDITION', 'output KIND FIELD=VALUE' (of
any application, such as a strategy: 'output stopped'), 'exec PROGRAM' (given a
journal of the first commands; exit code 0 is good, 125 that it cannot say).
CONDITION is a filter as for cat --where, on the fields of events: KIND.FIELD, or
sequence index kind market order counter side price quantity remaining account, and
of some kinds maker taker reason priority state change fee balance reserved position
orders group, e.g. 'event rejected and (reason==price_off_tick or account==7)'.
Engine A is the recorded run, by its digests, unless it is named. What had to be
computed is kept (--cache); engines go on from the journal's snapshots where they were
in the same state. Exit codes, those of git bisect run: 0 nothing found, 1 found, 125
this build cannot answer.)";

class BisectVerb final : public Verb {
 public:
  BisectVerb()
      : Verb("bisect", "The first command at which two engines part, or something turns",
             kExamples) {}

  void Declare(Options& options) override {
    options.Add("journal", path_, "The journal's folder").Required().Type("JOURNAL");
    options.Add("--engine-a", engines_.engine_a, "recorded, or as --engine-b")
        .Type("ENGINE")
        .ShowDefault();
    options.Add("--engine-b", engines_.engine_b, kSubjectHelp).Required().Type("ENGINE");
    options.Add("--pred", predicate_, kPredicateHelp).Type("PREDICATE").ShowDefault();
    options.Add("--build", build_, "What to run first; 125 where it fails").Type("COMMAND");
    options.Add("--cache", cache_, "Where computed digests are kept; '' for nowhere")
        .Type("FOLDER");
    options.AddFlag("--exhaustive", exhaustive_, "With exec: try every prefix, in order");
  }

  absl::StatusOr<ExitCode> Run(Console& console) override {
    if (!Build(console)) return ExitCode::kSkip;
    RETURN_IF_ERROR(engines_.OpenJournalAt(path_));
    absl::StatusOr<ExitCode> code =
        predicate_ == kDiverge ? Engines(console) : FindTurning(console);
    // Another build may give an answer where this one cannot, so `git bisect` skips it. An invalid
    // command line is an error for every build.
    const bool skip =
        !code.ok() && !absl::IsInvalidArgument(code.status()) && !absl::IsOutOfRange(code.status());
    if (!skip) return code;
    console.Error("ticktape bisect: ", ConsoleText::Message(code.status().message()), "\n");
    return ExitCode::kSkip;
  }

 private:
  // Returns false if this commit cannot be tested.
  bool Build(Console& console) const {
    if (build_.empty()) return true;
    const auto child = ChildProcess::Start({"sh", "-c", build_});
    if (!child.ok()) {
      console.Error("ticktape bisect: --build: ", ConsoleText::Message(child.status().message()),
                    "\n");
      return false;
    }
    const int code = WaitSilently(**child);
    if (code == 0) return true;
    console.Error("ticktape bisect: this commit cannot be built: '", build_,
                  "': ", DescribeExit(code), "\n  ", ConsoleText::Message((*child)->last_words()),
                  "\n");
    return false;
  }

  void AddSteps(Report& report) const {
    for (size_t i = 0; i < steps_.size(); ++i) report.Row(i == 0 ? "how" : "", steps_[i]);
    report.Texts("steps", steps_);
  }

  ExitCode ReportSame(Console& console, absl::string_view what) const {
    Report report("ticktape.bisect/1");
    report.Field("path", path_);
    report.Field("found", false);
    report.Line(Styled(Style::kGreen, "NOTHING FOUND"), "  ", path_, ": ", what);
    AddSteps(report);
    report.PrintTo(console);
    return ExitCode::kOk;
  }

  // ---- Predicates

  absl::StatusOr<ExitCode> FindTurning(Console& console) {
    const OpenedJournal& opened = engines_.opened;
    ASSIGN_OR_RETURN(const Predicate predicate, ParsePredicate(predicate_));
    if (predicate.is_of_exchange()) RETURN_IF_ERROR(CheckIsOfExchange(opened.reader->info()));
    TurnOptions options{.exhaustive = exhaustive_};
    if (predicate.kind == Predicate::Kind::kExec && !cache_.empty()) {
      ASSIGN_OR_RETURN(const engine::Digest log,
                       replay::LogDigestOf(*opened.directory, *opened.reader));
      std::error_code error;
      std::filesystem::create_directories(cache_, error);
      options.memory =
          absl::StrCat(cache_, "/", log.ToString(), "-",
                       engine::DigestOf(engine::AsBytes(predicate_)).ToString(), ".exec");
    }
    Progress progress(console, "bisect", "records", opened.reader->info().record_count());
    ASSIGN_OR_RETURN(
        const std::optional<replay::Turn> turn,
        FindTurn(predicate, *opened.reader, engines_.engine_b, options, progress, steps_));
    progress.Clear();
    if (!turn.has_value()) return ReportSame(console, NothingTurned(predicate));
    Report report("ticktape.bisect/1");
    report.Field("path", path_);
    report.Field("found", true);
    report.Line(Styled(Style::kRed, "FOUND"), " at @", turn->sequence, "  ", path_);
    report.Fact("predicate", "predicate", predicate_);
    report.Field("sequence", turn->sequence);
    report.Fact("what", "what", turn->what);
    AddSteps(report);
    report.Row("next", "ticktape inspect ", ShellWord(path_), " @", turn->sequence);
    report.PrintTo(console);
    return ExitCode::kDifferent;
  }

  // ---- Two engines

  absl::StatusOr<replay::DigestBisection> Bisect(Console& console) {
    replay::DigestBisectionOptions options;
    if (!cache_.empty()) {
      options.open_cache = [this](const std::string& name, bool make_new) {
        return OpenCache(cache_, name, make_new);
      };
    }
    const OpenedJournal& opened = engines_.opened;
    options.begin_pass = [&] {
      const auto progress = std::make_shared<Progress>(console, "bisect", "records",
                                                       opened.reader->info().last_sequence.value());
      return [progress](engine::SequenceNumber at) { progress->Show(at.value()); };
    };
    return replay::BisectByDigests(*opened.directory, *opened.reader, engines_.a.get(), *engines_.b,
                                   *engines_.states, options);
  }

  void DescribeSteps(const replay::DigestBisection& found) {
    using From = replay::DigestBisection::Trace::From;
    for (const replay::DigestBisection::Trace& trace : found.traces) {
      const std::string digests = Counted(trace.digest_count, "digest");
      if (trace.from == From::kRecording) {
        steps_.push_back(absl::StrCat("recorded: ", digests));
      } else if (trace.from == From::kCache) {
        steps_.push_back(absl::StrCat(trace.engine, ": ", digests, " from the cache, no replay"));
      } else {
        const bool parted = trace.parted_at > engine::SequenceNumber();
        const uint64_t at = trace.parted_at.value();
        steps_.push_back(absl::StrCat(
            trace.engine, ": one pass, ",
            trace.has_ended ? absl::StrCat("in which the engine ended on the way to @", at)
            : parted        ? absl::StrCat("ended at @", at, " because it has parted")
                            : digests,
            cache_.empty() ? "" : ", kept for the next time"));
      }
    }
    const replay::TraceComparison& compared = found.comparison;
    if (!compared.differing.has_value()) return;
    steps_.push_back(absl::StrCat("halving: ", compared.looked_at, " of ",
                                  Counted(compared.common, "digest"), " looked at; equal at @",
                                  compared.differing->equal.value(), ", different at @",
                                  compared.differing->differs.value()));
  }

  absl::StatusOr<ExitCode> Engines(Console& console) {
    const bool is_recorded = engines_.engine_a == kRecorded;
    if (!is_recorded) {
      ASSIGN_OR_RETURN(engines_.a, engines_.OpenEngine(engines_.engine_a));
    }
    ASSIGN_OR_RETURN(engines_.b, engines_.OpenEngine(engines_.engine_b));
    ASSIGN_OR_RETURN(const replay::DigestBisection found, Bisect(console));
    DescribeSteps(found);
    const std::optional<replay::DivergingRun>& differing = found.comparison.differing;
    if (!differing.has_value()) return ReportSame(console, "all digests are equal");
    if (is_recorded) {
      engines_.engine_a = "fast";
      ASSIGN_OR_RETURN(engines_.a, engines_.OpenEngine(engines_.engine_a));
    }
    replay::JournalSource source(*engines_.opened.reader);
    const absl::StatusOr<replay::Divergence> divergence =
        replay::FindDivergenceWithin(source, *engines_.a, *engines_.b, differing->equal,
                                     differing->differs, {.states = engines_.states.get()});
    steps_.push_back(absl::StrCat("to @", differing->equal.value(), ", then command by command",
                                  is_recorded ? ", against this program's engine: " : ": ",
                                  engines_.ReplayedText()));
    if (is_recorded && absl::IsInternal(divergence.status())) {
      console.Note("ticktape bisect: B parted from the recorded run between @",
                   differing->equal.Next().value(), " and @", differing->differs.value(),
                   ", but this program's engine does there what B does; name the engine that "
                   "recorded it: --engine-a");
      return ExitCode::kDifferent;
    }
    RETURN_IF_ERROR(divergence.status());
    return ReportDivergence(*divergence, console);
  }

  absl::StatusOr<ExitCode> ReportDivergence(const replay::Divergence& divergence,
                                            Console& console) const {
    ASSIGN_OR_RETURN(const DescribedDivergence found,
                     DescribedDivergence::Make(engines_, divergence));
    Report report("ticktape.bisect/1");
    report.Field("path", path_);
    report.Field("found", true);
    found.AddRows(report);
    AddSteps(report);
    engines_.AddReplayed(report);
    found.AddFields(report);
    report.PrintTo(console);
    return ExitCode::kDifferent;
  }

  std::string path_;
  ComparedEngines engines_{.engine_a = kRecorded};
  std::string predicate_ = kDiverge;
  std::string build_;
  std::string cache_ = DefaultCache();
  bool exhaustive_ = false;
  std::vector<std::string> steps_;
};

}  // namespace

std::unique_ptr<Verb> MakeBisectVerb() { return std::make_unique<BisectVerb>(); }

}  // namespace tools
