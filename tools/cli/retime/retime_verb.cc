// ticktape retime: measures the time of each command, and whether it has changed.

#include "tools/cli/retime/retime_verb.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "engine/base/status_macros.h"
#include "replay/engines.h"
#include "tools/cli/base/engine_option.h"
#include "tools/cli/base/json.h"
#include "tools/cli/base/options.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/base/report_row.h"
#include "tools/cli/retime/hdr_text.h"
#include "tools/cli/retime/retime_comparison.h"
#include "tools/cli/retime/retime_page.h"
#include "tools/cli/retime/retime_printer.h"
#include "tools/cli/retime/retime_runs.h"
#include "tools/cli/retime/verbs.h"
#include "tools/os/output.h"

namespace tools {
namespace {

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
  options.Add("--worst", options_.worst_count, "How many of the slowest commands to name")
      .Type("COUNT")
      .ShowDefault()
      .InRange(size_t{0}, size_t{1000});
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
  std::ifstream file(baseline_, std::ios::binary);
  if (!file) return absl::NotFoundError(absl::StrCat(baseline_, " cannot be read"));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  absl::StatusOr<std::vector<RetimeReport>> runs = ParseBaseline(text);
  if (!runs.ok()) {
    return absl::Status(runs.status().code(),
                        absl::StrCat(baseline_, ": ", runs.status().message()));
  }
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

absl::Status WriteFile(const std::string& path, const std::string& contents) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Output> file, Output::Create(path, /*replace=*/true));
  file->Write(contents);
  return file->Finish();
}

absl::Status RetimeVerb::WriteFiles(const RetimeRuns& runs, const RetimeReport& all,
                                    const std::vector<RetimeReport>& before,
                                    const RetimeComparison* comparison) {
  if (!save_.empty()) RETURN_IF_ERROR(WriteFile(save_, ToBaseline(runs.ours)));
  if (!html_.empty()) {
    RetimePage page{.path = options_.path, .after = all, .comparison = comparison};
    std::optional<RetimeReport> merged;
    if (!before.empty()) merged = Merge(before, 0);
    if (merged.has_value()) page.before = &*merged;
    RETURN_IF_ERROR(WriteFile(html_, ToHtml(page)));
  }
  if (hgrm_.empty()) return absl::OkStatus();
  for (const RetimeReport::Class& each : all.classes) {
    const std::string name = absl::StrJoin(absl::StrSplit(each.name(), ' '), "_");
    RETURN_IF_ERROR(
        WriteFile(absl::StrCat(hgrm_, "_", name, "_service.hgrm"), PercentileTable(each.service)));
    if (!all.is_open_loop) continue;
    RETURN_IF_ERROR(
        WriteFile(absl::StrCat(hgrm_, "_", name, "_latency.hgrm"), PercentileTable(each.latency)));
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
  if (console.json()) {
    JsonObject json("ticktape.retime/1");
    json.Field("path", options_.path);
    AddRetime(json, all, count);
    if (comparison.has_value()) AddComparison(json, *comparison);
    console.PrintLine(json.Take());
    return ExitCodeOf(comparison);
  }
  PrintRetime(console, options_.path, all, count);
  if (comparison.has_value()) PrintComparison(console, *comparison, threshold);
  if (!save_.empty()) PrintRow(console, "baseline", save_);
  if (!html_.empty()) PrintRow(console, "page", html_);
  return ExitCodeOf(comparison);
}

}  // namespace

std::unique_ptr<Verb> MakeRetimeVerbWith(EngineFactory make_machine) {
  return std::make_unique<RetimeVerb>(std::move(make_machine));
}

std::unique_ptr<Verb> MakeRetimeVerb() { return MakeRetimeVerbWith(replay::MakeEngine); }

}  // namespace tools
