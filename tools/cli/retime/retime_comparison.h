// Compares runs before a change with runs after it, per class of command.

#ifndef TOOLS_CLI_RETIME_RETIME_COMPARISON_H_
#define TOOLS_CLI_RETIME_RETIME_COMPARISON_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "replay/retime/retime_statistics.h"
#include "tools/cli/retime/retime_report.h"

namespace tools {

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

}  // namespace tools

#endif  // TOOLS_CLI_RETIME_RETIME_COMPARISON_H_
