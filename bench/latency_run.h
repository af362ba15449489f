// Measures the latency of each command. A mode of its own, because reading the clock costs more
// than most commands do.

#ifndef BENCH_LATENCY_RUN_H_
#define BENCH_LATENCY_RUN_H_

#include <map>

#include "bench/latency_histogram.h"
#include "bench/recorded_workload.h"
#include "engine/messages/command.h"

namespace bench {

struct LatencyResult {
  std::map<engine::CommandKind, LatencyHistogram> by_kind;  // Nanoseconds, including the probe.
  LatencyHistogram probe;  // Two clock readings with nothing between them.
};

// Measures the fast engine on the calling thread.
LatencyResult MeasureLatency(const RecordedWorkload& workload, int core);

}  // namespace bench

#endif  // BENCH_LATENCY_RUN_H_
