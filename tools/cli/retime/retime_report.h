// What one run of `retime` measured, as the process that ran it tells the one that asked: one line
// of JSON, which baselines keep as it is.

#ifndef TOOLS_CLI_RETIME_RETIME_REPORT_H_
#define TOOLS_CLI_RETIME_RETIME_REPORT_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "replay/retime/latency_histogram.h"
#include "tools/os/hardware_counters.h"
#include "tools/os/measuring_conditions.h"
#include "tools/os/yardstick.h"

namespace tools {

using NamedValues = std::vector<std::pair<std::string, std::string>>;

struct RetimeReport {
  struct Class {
    std::string kind = "";                  // "new_order"
    std::string outcome = "";               // "one fill"
    replay::LatencyHistogram service = {};  // Nanoseconds.
    replay::LatencyHistogram latency = {};  // Empty at --speed max.
    uint64_t allocations = 0;

    std::string name() const { return kind + " " + outcome; }
  };
  struct Slow {
    uint64_t sequence = 0;
    std::string name = "";
    uint64_t service_nanos = 0;
    uint64_t latency_nanos = 0;
  };

  NamedValues work;         // Which commands, at which speed: two runs of other work never compare.
  NamedValues environment;  // Machine, build, engine and what was taken of it.
  uint64_t commands = 0;
  uint64_t total_nanos = 0;
  bool is_open_loop = false;
  std::vector<Class> classes;
  std::vector<Slow> worst;
  replay::LatencyHistogram probe;  // A look at the clock.
  Yardstick yardstick;
  ThreadCounts thread_counts;
  std::vector<HardwareCount> hardware_counts;
  std::string hardware_counts_missing;  // Why.
  std::vector<ConditionReport> conditions;

  uint64_t allocations() const;
};

std::string ToJson(const RetimeReport& report);

// Errors: DATA_LOSS that names the field; UNIMPLEMENTED for another version.
absl::StatusOr<RetimeReport> ParseRetimeReport(absl::string_view line);

// A baseline file: runs of one program, in the order in which they were run.
std::string ToBaseline(const std::vector<RetimeReport>& runs);
// Errors: as above; DATA_LOSS where the runs are not all of one kind of work, or there are none.
absl::StatusOr<std::vector<RetimeReport>> ParseBaseline(absl::string_view text);

// What makes two runs incomparable, one line each: "kernel: 6.1.0 against 6.2.0".
std::vector<std::string> Differences(const NamedValues& before, const NamedValues& after);

// All runs together. REQUIRES: not empty, of one kind of work.
RetimeReport Merge(const std::vector<RetimeReport>& runs, size_t worst_count);

}  // namespace tools

#endif  // TOOLS_CLI_RETIME_RETIME_REPORT_H_
