// Runs before a change and runs after it, kind of work by kind of work.

#ifndef TOOLS_CLI_RETIME_RETIME_COMPARISON_H_
#define TOOLS_CLI_RETIME_RETIME_COMPARISON_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "tools/cli/retime/retime_report.h"
#include "tools/cli/retime/retime_statistics.h"

namespace tools {

// What is judged of a kind of work.
enum class RetimeGate {
  kTypical,     // Service time: the mean of the fastest 98 %, without the look at the clock.
  kP99,         // Service time: the mean around the 99th percentile, likewise.
  kP99Latency,  // The same of the latency; in open loop only.
};
inline constexpr std::array<absl::string_view, 3> kRetimeGateNames = {"typical", "p99",
                                                                      "p99-latency"};

// Of fewer commands a run nothing is said.
inline constexpr uint64_t kJudgedCountMin = 1000;

struct RetimeComparison {
  PerformanceVerdict verdict = PerformanceVerdict::kInconclusive;
  std::vector<Judgement> judgements;  // "new_order rest, typical"
  std::vector<std::string> skipped;   // Kinds of work with too few commands.
  double machine_drift = 0;           // 0.02: the machine was 2 % slower after.
  // How many runs would say more; 0: no need, or of no use.
  size_t more_runs = 0;
};

// `in_turns`: the i-th of both were run one after the other; equally many then.
// REQUIRES: neither is empty; all are of one kind of work.
RetimeComparison Compare(const std::vector<RetimeReport>& before,
                         const std::vector<RetimeReport>& after, bool in_turns,
                         const std::vector<RetimeGate>& gates, const JudgeOptions& options);

// Whether times of one can be held against times of the other. Errors: UNIMPLEMENTED, not
// comparable, that lists what differs: other work always, another environment unless `force`.
absl::Status CheckComparable(const RetimeReport& before, const RetimeReport& after, bool force);

}  // namespace tools

#endif  // TOOLS_CLI_RETIME_RETIME_COMPARISON_H_
