// ticktape retime: measures the time of each command, or counts its instructions, and whether that
// has changed.

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "replay/retime/latency_histogram.h"
#include "replay/retime/retime_plan.h"
#include "replay/retime/retime_run.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/retime/count_report.h"
#include "tools/cli/retime/one_run.h"
#include "tools/cli/retime/program_run.h"
#include "tools/cli/retime/retime_report.h"
#include "tools/os/clocks.h"
#include "tools/os/measuring.h"

namespace tools {
namespace {

constexpr char kExamples[] = R"(  ticktape retime a.tape --speed 10x --cpu 1
  ticktape retime a.tape --runs 20 --save base.json
  ticktape retime a.tape --runs 20 --baseline base.json --html report.html
  ticktape retime a.tape --against ./before/ticktape
  ticktape retime a.tape --count --baseline counts.json

Open loop: a command is due when the record says, even if earlier ones were late, and its
latency counts from then. At max it is due when the one before is done. Each run is a
process of its own. Verdicts: better, same, worse, inconclusive; exit code 0 for the
first two, 1 for worse, 5 for inconclusive or a baseline that does not compare.

--count runs the log under valgrind, once, and counts instructions, branches and the misses of
simulated caches. Two runs of one build have equal instructions on any machine, so it is never
inconclusive. It takes about a hundred times as long as a replay.)";

constexpr char kDefaultGate[] = "typical";
constexpr double kPercentMin = 0.1;  // Times are no finer.

class RetimeVerb final : public Verb {
 public:
  explicit RetimeVerb(EngineFactory make_machine)
      : Verb("retime", "Measure how long each command takes here, and whether that has changed",
             kExamples),
        make_machine_(std::move(make_machine)) {}

  void Declare(Options& options) override {
    options.Add("journal", options_.path, "The journal's folder").Required().Type("JOURNAL");
    options.Add("--speed", speed_, "max, a factor (1x, 10x, 0.5x) or a rate (1M/s, 50k/s)")
        .Type("SPEED")
        .ShowDefault();
    options.Add("--from", options_.from, "Time from here on; what comes before warms up")
        .Type("POSITION");
    options.Add("--to", options_.to, "Stop after this position").Type("POSITION");
    AddEngineOption(options, options_.engine);
    options.Add("--runs", run_count_, "How many; 1, or 10 where there is something to compare")
        .Type("COUNT")
        .InRange(size_t{1}, replay::kRunsMax);
    options.AddCount("--worst", options_.worst_count, "How many of the slowest commands to name",
                     size_t{0}, size_t{1000});
    options.Add("--cpu", options_.conditions.core, "Stay on this core")
        .Type("CORE")
        .InRange(0, 4095);
    options.AddFlag("--fifo", options_.conditions.fifo, "Run before everything else: SCHED_FIFO");
    options.AddFlag("--lock-memory", options_.conditions.lock_memory, "Keep all pages: mlockall");
    options.AddFlag("--huge-pages", options_.conditions.huge_pages, "Ask for huge pages");
    options.Add("--save", save_, "Keep the runs as a baseline").Type("FILE");
    options.Add("--baseline", baseline_, "Compare with the runs kept there").Type("FILE");
    options.Add("--against", against_, "Compare with this program, measured now, in turns")
        .Type("PROGRAM");
    options.AddFlag("--force", force_, "Compare with a baseline of another machine or build");
    options.Add("--gate", gates_, "What is judged: typical, p99, p99-latency, with commas")
        .Type("WHAT")
        .ShowDefault();
    options
        .Add("--threshold", threshold_percent_,
             "Percent that count as a difference: 3, of instructions 1")
        .Type("PERCENT")
        .InRange(0.0, 1000.0);
    options.Add("--html", html_, "Write a page with pictures").Type("FILE");
    options.Add("--hgrm", hgrm_, "Write tables of percentiles to PREFIX_<kind>.hgrm")
        .Type("PREFIX");
    options.Add("--program", program_, "Measure this program instead of this one").Type("PROGRAM");
    options.AddFlag("--count", counts_, "Count instructions under valgrind, instead of time");
    options.AddFlag("--one-run", is_one_run_).Hide();  // Set for the child processes.
  }

  absl::StatusOr<ExitCode> Run(Console& console) override {
    RETURN_IF_ERROR(Check());
    if (is_one_run_) return RunOnce(console);
    if (counts_) return Count(console);
    if (options_.conditions.huge_pages) AskForHugePages();
    RETURN_IF_ERROR(RunInTurns(console));
    const RetimeReport all = Merge(ours_, options_.worst_count);
    const double threshold = threshold_percent_.value_or(3) / 100;
    std::optional<RetimeComparison> comparison;
    if (!before_.empty()) {
      comparison =
          Compare(before_, ours_, !against_.empty(), parsed_gates_, {.threshold = threshold});
    }
    RETURN_IF_ERROR(WriteFiles(all, comparison));
    Report report("ticktape.retime/1");
    report.Field("path", options_.path);
    AddRetime(report, options_.path, all, ours_.size());
    if (comparison.has_value()) AddComparison(report, *comparison, threshold);
    if (!save_.empty()) report.Row("baseline", save_);
    if (!html_.empty()) report.Row("page", html_);
    report.PrintTo(console);
    return comparison.has_value() ? ExitCodeOf(comparison->verdict) : ExitCode::kOk;
  }

 private:
  static ExitCode ExitCodeOf(replay::PerformanceVerdict verdict) {
    if (verdict == replay::PerformanceVerdict::kWorse) return ExitCode::kDifferent;
    return verdict == replay::PerformanceVerdict::kInconclusive ? ExitCode::kNotComparable
                                                                : ExitCode::kOk;
  }

  // In the process that measures.
  absl::StatusOr<ExitCode> RunOnce(Console& console) const {
    std::string result;
    if (counts_) {
      ASSIGN_OR_RETURN(const CountReport report, RunUnderProfiler(options_, make_machine_));
      result = ToJson(report);
    } else {
      ASSIGN_OR_RETURN(const RetimeReport report, RunTimed(options_, make_machine_));
      result = ToJson(report);
    }
    console.PrintLine(result);
    return ExitCode::kOk;
  }

  absl::StatusOr<ExitCode> Count(Console& console) const {
    std::optional<CountReport> before;
    Progress progress(console, "retime", "runs", against_.empty() ? 1 : 2);
    if (!baseline_.empty()) {
      ASSIGN_OR_RETURN(std::string text, ReadFile(baseline_));
      ASSIGN_OR_RETURN(before, ParseCountReport(std::move(text), baseline_));
    } else if (!against_.empty()) {
      ASSIGN_OR_RETURN(before, CountProgram(against_, WordsOfOneRun()));
      progress.Show(1);
    }
    ASSIGN_OR_RETURN(const CountReport counts, CountProgram(program_, WordsOfOneRun()));
    progress.Clear();
    Report report("ticktape.retime.counts/1");
    report.Field("path", options_.path);
    AddCounts(report, options_.path, counts);
    ExitCode exit_code = ExitCode::kOk;
    if (before.has_value()) {
      const double threshold = threshold_percent_.value_or(1) / 100;
      ASSIGN_OR_RETURN(const CountComparison comparison,
                       Compare(*before, counts, threshold, force_));
      AddComparison(report, comparison, threshold);
      exit_code = ExitCodeOf(comparison.verdict);
    }
    if (!save_.empty()) {
      RETURN_IF_ERROR(WriteFile(save_, ToJson(counts) + "\n", /*replace=*/true));
      report.Row("baseline", save_);
    }
    report.PrintTo(console);
    return exit_code;
  }

  absl::Status Check() {
    ASSIGN_OR_RETURN(options_.speed, replay::RetimeSpeed::Parse(speed_));
    if (!baseline_.empty() && !against_.empty()) {
      return absl::InvalidArgumentError(
          "--baseline and --against are two ways to compare: one only");
    }
    if (counts_) return CheckCounting();
    if (threshold_percent_.value_or(kPercentMin) < kPercentMin) {
      return absl::InvalidArgumentError(absl::StrCat("--threshold ", *threshold_percent_,
                                                     ": expected at least ", kPercentMin,
                                                     " where times are compared"));
    }
    const bool wants_many = !save_.empty() || !baseline_.empty() || !against_.empty();
    if (!run_count_.has_value()) run_count_ = wants_many ? replay::kJudgedRunsMin : 1;
    if (wants_many && *run_count_ < replay::kJudgedRunsMin) {
      return absl::InvalidArgumentError(absl::StrCat("--runs ", *run_count_, ": expected at least ",
                                                     replay::kJudgedRunsMin,
                                                     " where runs are compared"));
    }
    for (const absl::string_view word : absl::StrSplit(gates_, ',')) {
      const auto found = std::find(kRetimeGateNames.begin(), kRetimeGateNames.end(), word);
      if (found == kRetimeGateNames.end()) {
        return absl::InvalidArgumentError(
            absl::StrCat("--gate '", word, "': expected ", absl::StrJoin(kRetimeGateNames, ", ")));
      }
      parsed_gates_.push_back(static_cast<RetimeGate>(found - kRetimeGateNames.begin()));
    }
    if (baseline_.empty()) return absl::OkStatus();
    ASSIGN_OR_RETURN(const std::string text, ReadFile(baseline_));
    absl::StatusOr<std::vector<RetimeReport>> runs = ParseBaseline(text);
    if (!runs.ok()) return ErrorIn(baseline_, runs.status());
    before_ = *std::move(runs);
    return absl::OkStatus();
  }

  // What concerns time alone is refused.
  absl::Status CheckCounting() const {
    const MeasuringConditions& conditions = options_.conditions;
    const std::pair<const char*, bool> of_time[] = {
        {"--speed", options_.speed.is_open_loop()},
        {"--runs", run_count_.has_value()},
        {"--cpu", conditions.core.has_value()},
        {"--fifo", conditions.fifo},
        {"--lock-memory", conditions.lock_memory},
        {"--huge-pages", conditions.huge_pages},
        {"--html", !html_.empty()},
        {"--hgrm", !hgrm_.empty()},
        {"--gate", gates_ != kDefaultGate},
        {"--worst", options_.worst_count != kRetimeWorstCount}};
    for (const auto& [option, is_given] : of_time) {
      if (is_given) {
        return absl::InvalidArgumentError(
            absl::StrCat(option, " is about time, which --count does not measure"));
      }
    }
    return absl::OkStatus();
  }

  std::vector<std::string> WordsOfOneRun() const {
    std::vector<std::string> words = {"retime", options_.path, "--one-run", "--speed", speed_};
    if (counts_) words.emplace_back("--count");
    const auto add = [&](const char* option, const std::string& value) {
      if (value.empty()) return;
      words.emplace_back(option);
      words.push_back(value);
    };
    add("--from", options_.from);
    add("--to", options_.to);
    add("--engine", std::string(replay::kEngineNames[static_cast<size_t>(options_.engine)]));
    add("--worst", absl::StrCat(options_.worst_count));
    const MeasuringConditions& conditions = options_.conditions;
    if (conditions.core.has_value()) add("--cpu", absl::StrCat(*conditions.core));
    if (conditions.fifo) words.emplace_back("--fifo");
    if (conditions.lock_memory) words.emplace_back("--lock-memory");
    if (conditions.huge_pages) words.emplace_back("--huge-pages");
    return words;
  }

  // Makes the runs, each in a new process, of this program or of two in alternation.
  //
  //   ours   1     4  5     8  9    ABBA: slow changes of the machine
  //   before   2  3     6  7        affect both equally
  //
  // Errors: those of the runs, with the program's standard error.
  absl::Status RunInTurns(Console& console) {
    const std::vector<std::string> words = WordsOfOneRun();
    const size_t count = *run_count_;
    Progress progress(console, "retime", "runs", against_.empty() ? count : 2 * count);
    size_t done = 0;
    for (size_t i = 0; i < count; ++i) {
      for (const bool is_second : {false, true}) {
        const bool is_ours = is_second == (i % 2 == 1);
        if (!is_ours && against_.empty()) continue;
        ASSIGN_OR_RETURN(RetimeReport report, TimeProgram(is_ours ? program_ : against_, words));
        (is_ours ? ours_ : before_).push_back(std::move(report));
        progress.Show(++done);
      }
      // Incomparable runs are rejected early.
      if (i == 0 && !before_.empty()) RETURN_IF_ERROR(CheckAgainstBefore(console));
    }
    return absl::OkStatus();
  }

  absl::Status CheckAgainstBefore(Console& console) const {
    RETURN_IF_ERROR(CheckComparable(before_.front(), ours_.front(), force_));
    for (const std::string& line :
         Differences(before_.front().environment, ours_.front().environment)) {
      console.Note("compared all the same: ", line);
    }
    return absl::OkStatus();
  }

  absl::Status WriteFiles(const RetimeReport& all,
                          const std::optional<RetimeComparison>& comparison) const {
    if (!save_.empty()) RETURN_IF_ERROR(WriteFile(save_, ToBaseline(ours_), /*replace=*/true));
    if (!html_.empty()) {
      const std::string now = SystemClock().Now().ToString();
      const std::string date = absl::StrCat(now.substr(0, 10), " ", now.substr(11, 5), " UTC");
      RetimePage page{.path = options_.path, .date = date, .after = all};
      std::optional<RetimeReport> before;
      if (comparison.has_value()) {
        before = Merge(before_, 0);
        page.before = &*before;
        page.comparison = &*comparison;
      }
      RETURN_IF_ERROR(WriteFile(html_, ToHtml(page), /*replace=*/true));
    }
    if (hgrm_.empty()) return absl::OkStatus();
    for (const replay::ClassTimes& each : all.classes) {
      const std::string name = absl::StrJoin(absl::StrSplit(each.name(), ' '), "_");
      const auto write = [&](const char* what, const replay::LatencyHistogram& times) {
        return WriteFile(absl::StrCat(hgrm_, "_", name, what), replay::PercentileTable(times),
                         /*replace=*/true);
      };
      RETURN_IF_ERROR(write("_service.hgrm", each.service));
      if (all.is_open_loop) RETURN_IF_ERROR(write("_latency.hgrm", each.latency));
    }
    return absl::OkStatus();
  }

  const EngineFactory make_machine_;
  RetimeOptions options_;
  std::string speed_ = "max";
  std::optional<size_t> run_count_;
  std::string program_;  // With spaces: a command with arguments. Empty: this program.
  std::string against_;
  std::string save_;
  std::string baseline_;
  std::string html_;
  std::string hgrm_;
  std::string gates_ = kDefaultGate;
  std::optional<double> threshold_percent_;
  bool force_ = false;
  bool counts_ = false;
  bool is_one_run_ = false;
  std::vector<RetimeGate> parsed_gates_;
  std::vector<RetimeReport> before_;  // Of the baseline, or of the other program.
  std::vector<RetimeReport> ours_;
};

}  // namespace

std::unique_ptr<Verb> MakeRetimeVerb() { return MakeRetimeVerb(nullptr); }

std::unique_ptr<Verb> MakeRetimeVerb(EngineFactory make_machine) {
  return std::make_unique<RetimeVerb>(std::move(make_machine));
}

}  // namespace tools
