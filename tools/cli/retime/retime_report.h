// The results of one run of `retime`, as the measuring process sends them to its parent: one line
// of JSON, which baselines store unchanged.

#ifndef TOOLS_CLI_RETIME_RETIME_REPORT_H_
#define TOOLS_CLI_RETIME_RETIME_REPORT_H_

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
#include "tools/cli/base/json.h"
#include "tools/os/machine_facts.h"
#include "tools/os/measuring.h"

namespace tools {

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

}  // namespace tools

#endif  // TOOLS_CLI_RETIME_RETIME_REPORT_H_
