// The results of `retime`: of one run, compared with those of other runs, and printed.

#ifndef TOOLS_CLI_RETIME_RETIME_REPORT_H_
#define TOOLS_CLI_RETIME_RETIME_REPORT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "replay/retime/latency_histogram.h"
#include "replay/retime/retime_run.h"
#include "replay/retime/retime_statistics.h"
#include "tools/cli/base/report.h"
#include "tools/os/machine_facts.h"
#include "tools/os/measuring.h"

namespace tools {

// ---- retime_report.cc: one run, as the measuring process sends it to its parent: one line of
// JSON, which baselines store unchanged.

using NamedValues = std::vector<std::pair<std::string, std::string>>;

// The result, and what it was measured on and with.
struct RetimeReport : replay::RetimeResult {
  // The commands and their speed: runs of different work are never compared.
  NamedValues work = {};
  NamedValues environment = {};         // Machine, build, engine and granted measuring conditions.
  replay::LatencyHistogram probe = {};  // The cost of reading the clock.
  Yardstick yardstick = {};
  KernelCounts thread_counts = {};
  std::vector<HardwareCount> hardware_counts = {};
  std::string hardware_counts_missing = "";  // The reason.
  std::vector<ConditionReport> conditions = {};
};

std::string ToJson(const RetimeReport& report);

// Errors: DATA_LOSS with the field; UNIMPLEMENTED for another version.
absl::StatusOr<RetimeReport> ParseRetimeReport(absl::string_view line);

// Formats a baseline file: runs of one program, in the order in which they were made.
std::string ToBaseline(const std::vector<RetimeReport>& runs);
// Errors: as above; DATA_LOSS if the runs are of different work, or there are none.
absl::StatusOr<std::vector<RetimeReport>> ParseBaseline(absl::string_view text);

// Returns what differs, one line each: "kernel: 6.1.0 against 6.2.0".
std::vector<std::string> Differences(const NamedValues& before, const NamedValues& after);

// Merges all runs. REQUIRES: not empty, all of the same work.
RetimeReport Merge(const std::vector<RetimeReport>& runs, size_t worst_count);

// ---- retime_comparison.cc: runs before a change against runs after it, per class of command.

// The metrics that are judged for each class.
enum class RetimeGate {
  kTypical,  // Service time: the mean of the fastest 98 %, without the cost of reading the clock.
  kP99,      // Service time: the mean around the 99th percentile, likewise.
  kP99Latency,  // Latency: the same as p99; in open loop only.
};
inline constexpr std::array<absl::string_view, 3> kRetimeGateNames = {"typical", "p99",
                                                                      "p99-latency"};

// A class with fewer commands in any run is not judged.
inline constexpr uint64_t kJudgedCountMin = 1000;

struct RetimeComparison {
  replay::PerformanceVerdict verdict = replay::PerformanceVerdict::kInconclusive;
  std::vector<replay::Judgement> judgements;  // "new_order rest, typical"
  std::vector<std::string> skipped;           // Classes with too few commands.
  double machine_drift = 0;                   // 0.02: the machine was 2 % slower after the change.
  // The number of runs that would give an answer; 0: not needed, or more runs would not help.
  size_t more_runs = 0;
};

// `in_turns`: run i of both were made one after the other; both have equally many then. REQUIRES:
// neither is empty; all runs are of the same work.
RetimeComparison Compare(const std::vector<RetimeReport>& before,
                         const std::vector<RetimeReport>& after, bool in_turns,
                         const std::vector<RetimeGate>& gates, const replay::JudgeOptions& options);

// Checks whether the times are comparable. Errors: UNIMPLEMENTED, with a list of the differences:
// in the work always, in the environment unless `force`.
absl::Status CheckComparable(const RetimeReport& before, const RetimeReport& after, bool force);

// ---- retime_printer.cc, retime_page.cc: the results for people, as JSON, and as a page with
// pictures.

// `all` is `run_count` merged runs of the journal at `path`.
void AddRetime(Report& report, const std::string& path, const RetimeReport& all, size_t run_count);

// `threshold` is a fraction.
void AddComparison(Report& report, const RetimeComparison& comparison, double threshold);

struct RetimePage {
  std::string path;
  std::string date = "";  // When `after` was measured, e.g. "2026-11-26 17:04 UTC".
  const RetimeReport& after;
  const RetimeReport* before = nullptr;          // May be null.
  const RetimeComparison* comparison = nullptr;  // May be null.
};

// Returns a self-contained HTML page; its charts are inline SVG.
//
//   per class of command   frequency of each time, both axes logarithmic, percentiles marked
//                          time by percentile, with the scale stretched towards the tail
//   grey: before; coloured: after
std::string ToHtml(const RetimePage& page);

}  // namespace tools

#endif  // TOOLS_CLI_RETIME_RETIME_REPORT_H_
