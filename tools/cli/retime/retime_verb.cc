// ticktape retime: measures the time of each command, and whether it has changed.

#include "tools/cli/retime/retime_verb.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "replay/engines.h"
#include "tools/cli/base/engine_option.h"
#include "tools/cli/base/files.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/retime/hdr_text.h"
#include "tools/cli/retime/retime_comparison.h"
#include "tools/cli/retime/retime_page.h"
#include "tools/cli/retime/retime_printer.h"
#include "tools/cli/retime/retime_report.h"
#include "tools/cli/retime/verbs.h"
#include "tools/os/child_process.h"
#include "tools/os/output.h"

namespace tools {
namespace {

// Makes runs of `retime`, each in a new process, of one program or of two in alternation.
//
//   ours   1     4  5     8  9    ABBA: slow changes of the machine
//   other     2  3     6  7       affect both equally

struct RetimeRuns {
  std::vector<RetimeReport> ours;
  std::vector<RetimeReport> others;  // Empty without another program.
};

// The prefix of errors that `ticktape retime` itself reports.
constexpr absl::string_view kOwnPrefix = "ticktape retime: ";

absl::StatusOr<RetimeReport> RunOnce(const std::string& program,
                                     const std::vector<std::string>& words) {
  std::vector<std::string> command = absl::StrSplit(program, ' ', absl::SkipEmpty());
  command.insert(command.end(), words.begin(), words.end());
  ASSIGN_OR_RETURN(const std::unique_ptr<ChildProcess> child, ChildProcess::Start(command));
  std::string output;
  std::array<std::byte, 64 << 10> buffer;
  absl::Status failure;
  while (true) {
    const absl::StatusOr<size_t> count = child->Read(buffer);
    if (!count.ok()) failure = count.status();
    if (!count.ok() || *count == 0) break;
    output.append(reinterpret_cast<const char*>(buffer.data()), *count);
  }
  const int exit_code = child->Wait();
  if (exit_code != 0) {
    const std::string message(absl::StripAsciiWhitespace(child->last_words()));
    if (absl::StartsWith(message, kOwnPrefix)) {
      return absl::Status(StatusCodeOf(exit_code), message.substr(kOwnPrefix.size()));
    }
    return absl::Status(
        StatusCodeOf(exit_code),
        absl::StrCat(program, ": ", DescribeExit(exit_code), message.empty() ? "" : "\n", message));
  }
  RETURN_IF_ERROR(failure);
  absl::StatusOr<RetimeReport> report = ParseRetimeReport(output);
  if (report.ok()) return report;
  return ErrorIn(program, report.status());
}

// `words` are the arguments. A program that contains spaces is a command with arguments. If `other`
// is empty, only `ours` runs. `after_each` receives all runs so far; its error stops. Errors: those
// of the runs, with the program's standard error.
absl::StatusOr<RetimeRuns> RunInTurns(
    const std::string& ours, const std::string& other, const std::vector<std::string>& words,
    size_t count, const std::function<absl::Status(const RetimeRuns&)>& after_each) {
  RetimeRuns runs;
  for (size_t i = 0; i < count; ++i) {
    for (const bool is_second : {false, true}) {
      const bool is_ours = is_second == (i % 2 == 1);
      const std::string& program = is_ours ? ours : other;
      if (program.empty()) continue;
      ASSIGN_OR_RETURN(RetimeReport report, RunOnce(program, words));
      (is_ours ? runs.ours : runs.others).push_back(std::move(report));
      RETURN_IF_ERROR(after_each(runs));
    }
  }
  return runs;
}

class RetimeVerb final : public Verb {
 public:
  explicit RetimeVerb(EngineFactory make_machine) : make_machine_(std::move(make_machine)) {}
  const char* name() const override { return "retime"; }
  const char* summary() const override {
    return "Measure how long each command takes here, and whether that has changed";
  }
  const char* examples() const override {
    return "  ticktape retime a.tape --speed 10x --cpu 1\n"
           "  ticktape retime a.tape --runs 20 --save base.json\n"
           "  ticktape retime a.tape --runs 20 --baseline base.json --html report.html\n"
           "  ticktape retime a.tape --against ./before/ticktape\n"
           "\n"
           "Open loop: a command is due when the record says, even if earlier ones were late, and "
           "its\n"
           "latency counts from then. At max it is due when the one before is done. Each run is a\n"
           "process of its own. Verdicts: better, same, worse, inconclusive; exit code 0 for the\n"
           "first two, 1 for worse, 5 for inconclusive or a baseline that does not compare.";
  }
  void Declare(Options& options) override;
  absl::StatusOr<ExitCode> Run(Console& console) override;

 private:
  absl::Status Check();
  absl::Status CheckAgainstBefore(const RetimeRuns& runs, Console& console);
  absl::Status WriteFiles(const RetimeRuns& runs, const RetimeReport& all,
                          const std::vector<RetimeReport>& before,
                          const RetimeComparison* comparison);
  std::vector<std::string> WordsOfOneRun() const;

  const EngineFactory make_machine_;
  RetimeOptions options_;
  std::string speed_ = "max";
  int core_ = -1;
  std::optional<size_t> run_count_;
  std::string program_;
  std::string against_;
  std::string save_;
  std::string baseline_;
  std::string html_;
  std::string hgrm_;
  std::string gates_ = "typical";
  double threshold_percent_ = 3;
  bool force_ = false;
  bool is_one_run_ = false;
  bool is_checked_ = false;
  std::vector<RetimeGate> parsed_gates_;
  std::vector<RetimeReport> parsed_baseline_;
};

void RetimeVerb::Declare(Options& options) {
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
      .InRange(size_t{1}, kRunsMax);
  options.AddCount("--worst", options_.worst_count, "How many of the slowest commands to name",
                   size_t{0}, size_t{1000});
  options.Add("--cpu", core_, "Stay on this core").Type("CORE").InRange(0, 4095);
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
  options.Add("--threshold", threshold_percent_, "Percent that count as a difference")
      .Type("PERCENT")
      .ShowDefault()
      .InRange(0.1, 1000.0);
  options.Add("--html", html_, "Write a page with pictures").Type("FILE");
  options.Add("--hgrm", hgrm_, "Write tables of percentiles to PREFIX_<kind>.hgrm").Type("PREFIX");
  options.Add("--program", program_, "Measure this program instead of this one").Type("PROGRAM");
  options.AddFlag("--one-run", is_one_run_).Hide();  // Set for the child processes.
}

absl::Status RetimeVerb::Check() {
  ASSIGN_OR_RETURN(options_.speed, replay::RetimeSpeed::Parse(speed_));
  if (core_ >= 0) options_.conditions.core = core_;
  if (!baseline_.empty() && !against_.empty()) {
    return absl::InvalidArgumentError("--baseline and --against are two ways to compare: one only");
  }
  const bool wants_many = !save_.empty() || !baseline_.empty() || !against_.empty();
  if (!run_count_.has_value()) run_count_ = wants_many ? kJudgedRunsMin : 1;
  if (wants_many && *run_count_ < kJudgedRunsMin) {
    return absl::InvalidArgumentError(absl::StrCat("--runs ", *run_count_, ": expected at least ",
                                                   kJudgedRunsMin, " where runs are compared"));
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
  parsed_baseline_ = *std::move(runs);
  return absl::OkStatus();
}

std::vector<std::string> RetimeVerb::WordsOfOneRun() const {
  std::vector<std::string> words = {"retime", options_.path, "--one-run", "--speed", speed_};
  const auto add = [&](const char* option, const std::string& value) {
    if (value.empty()) return;
    words.emplace_back(option);
    words.push_back(value);
  };
  add("--from", options_.from);
  add("--to", options_.to);
  add("--engine", std::string(replay::kEngineNames[static_cast<size_t>(options_.engine)]));
  add("--worst", absl::StrCat(options_.worst_count));
  if (core_ >= 0) add("--cpu", absl::StrCat(core_));
  if (options_.conditions.fifo) words.emplace_back("--fifo");
  if (options_.conditions.lock_memory) words.emplace_back("--lock-memory");
  if (options_.conditions.huge_pages) words.emplace_back("--huge-pages");
  return words;
}

// Called after each run, so that incomparable runs are rejected early.
absl::Status RetimeVerb::CheckAgainstBefore(const RetimeRuns& runs, Console& console) {
  const std::vector<RetimeReport>& before = against_.empty() ? parsed_baseline_ : runs.others;
  if (before.empty() || runs.ours.empty() || is_checked_) return absl::OkStatus();
  is_checked_ = true;
  RETURN_IF_ERROR(CheckComparable(before.front(), runs.ours.front(), force_));
  for (const std::string& line :
       Differences(before.front().environment, runs.ours.front().environment)) {
    console.Note("compared all the same: ", line);
  }
  return absl::OkStatus();
}

absl::Status RetimeVerb::WriteFiles(const RetimeRuns& runs, const RetimeReport& all,
                                    const std::vector<RetimeReport>& before,
                                    const RetimeComparison* comparison) {
  if (!save_.empty()) RETURN_IF_ERROR(WriteFile(save_, ToBaseline(runs.ours), /*replace=*/true));
  if (!html_.empty()) {
    RetimePage page{.path = options_.path, .after = all, .comparison = comparison};
    std::optional<RetimeReport> merged;
    if (!before.empty()) merged = Merge(before, 0);
    if (merged.has_value()) page.before = &*merged;
    RETURN_IF_ERROR(WriteFile(html_, ToHtml(page), /*replace=*/true));
  }
  if (hgrm_.empty()) return absl::OkStatus();
  for (const RetimeReport::Class& each : all.classes) {
    const std::string name = absl::StrJoin(absl::StrSplit(each.name(), ' '), "_");
    const auto write = [&](const char* what, const replay::LatencyHistogram& times) {
      return WriteFile(absl::StrCat(hgrm_, "_", name, what), PercentileTable(times),
                       /*replace=*/true);
    };
    RETURN_IF_ERROR(write("_service.hgrm", each.service));
    if (all.is_open_loop) RETURN_IF_ERROR(write("_latency.hgrm", each.latency));
  }
  return absl::OkStatus();
}

ExitCode ExitCodeOf(const std::optional<RetimeComparison>& comparison) {
  if (!comparison.has_value()) return ExitCode::kOk;
  switch (comparison->verdict) {
    case PerformanceVerdict::kWorse:
      return ExitCode::kDifferent;
    case PerformanceVerdict::kInconclusive:
      return ExitCode::kNotComparable;
    default:
      return ExitCode::kOk;
  }
}

absl::StatusOr<ExitCode> RetimeVerb::Run(Console& console) {
  RETURN_IF_ERROR(Check());
  if (is_one_run_) {
    ASSIGN_OR_RETURN(const RetimeReport report, RunRetimeOnce(options_, make_machine_));
    console.PrintLine(ToJson(report));
    return ExitCode::kOk;
  }
  if (options_.conditions.huge_pages) AskForHugePages();
  const size_t count = *run_count_;
  RetimeRuns runs;
  {
    Progress progress(console, "retime", "runs", against_.empty() ? count : 2 * count);
    const auto after_each = [&](const RetimeRuns& so_far) {
      progress.Show(so_far.ours.size() + so_far.others.size());
      return CheckAgainstBefore(so_far, console);
    };
    ASSIGN_OR_RETURN(runs, RunInTurns(program_.empty() ? "/proc/self/exe" : program_, against_,
                                      WordsOfOneRun(), count, after_each));
  }
  const std::vector<RetimeReport> before =
      against_.empty() ? std::move(parsed_baseline_) : std::move(runs.others);
  const RetimeReport all = Merge(runs.ours, options_.worst_count);
  const double threshold = threshold_percent_ / 100;
  std::optional<RetimeComparison> comparison;
  if (!before.empty()) {
    comparison =
        Compare(before, runs.ours, !against_.empty(), parsed_gates_, {.threshold = threshold});
  }
  RETURN_IF_ERROR(WriteFiles(runs, all, before, comparison.has_value() ? &*comparison : nullptr));
  Report report("ticktape.retime/1");
  report.Field("path", options_.path);
  AddRetime(report, options_.path, all, count);
  if (comparison.has_value()) AddComparison(report, *comparison, threshold);
  if (!save_.empty()) report.Row("baseline", save_);
  if (!html_.empty()) report.Row("page", html_);
  report.PrintTo(console);
  return ExitCodeOf(comparison);
}

}  // namespace

std::unique_ptr<Verb> MakeRetimeVerbWith(EngineFactory make_machine) {
  return std::make_unique<RetimeVerb>(std::move(make_machine));
}

std::unique_ptr<Verb> MakeRetimeVerb() { return MakeRetimeVerbWith(nullptr); }

}  // namespace tools
