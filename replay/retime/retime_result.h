// The result of a timed run: histograms by command class, and the slowest commands.

#ifndef REPLAY_RETIME_RETIME_RESULT_H_
#define REPLAY_RETIME_RETIME_RESULT_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "engine/base/sequence_number.h"
#include "replay/retime/latency_histogram.h"
#include "replay/retime/retime_plan.h"
#include "replay/retime/retime_run.h"
#include "replay/vocabulary.h"

namespace replay {

struct ClassTimes {
  RecordClass record_class;
  LatencyHistogram service;  // Nanoseconds, including one clock reading.
  LatencyHistogram latency;  // Nanoseconds from due to done; empty in closed loop.
  uint64_t allocations = 0;
};

struct SlowCommand {
  engine::SequenceNumber sequence;
  RecordClass record_class;
  uint64_t service_nanos = 0;
  uint64_t latency_nanos = 0;  // 0 in closed loop.
};

struct RetimeResult {
  std::vector<ClassTimes> classes;  // Ascending by class.
  // The slowest commands, slowest first, by latency in open loop and by service time in closed
  // loop; at equal times, the earliest first.
  std::vector<SlowCommand> worst;
  uint64_t total_nanos = 0;
};

RetimeResult Summarise(const RetimePlan& plan, const RetimeTimes& times, size_t worst_count,
                       absl::FunctionRef<uint64_t(uint64_t)> nanos_of_ticks);

}  // namespace replay

#endif  // REPLAY_RETIME_RETIME_RESULT_H_
