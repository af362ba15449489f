// How long each command takes, one at a time: in a mode of its own, because looking at the clock
// costs more than most commands do.

#ifndef BENCH_LATENCY_RUN_H_
#define BENCH_LATENCY_RUN_H_

#include <map>

#include "bench/latency_histogram.h"
#include "bench/recorded_workload.h"
#include "engine/messages/command.h"

namespace bench {

struct LatencyResult {
  std::map<engine::CommandKind, LatencyHistogram> by_kind;  // Nanoseconds, the probe included.
  LatencyHistogram probe;  // Of nothing: what a look at the clock at either end costs.
};

// Of the fast engine, on the same thread.
LatencyResult MeasureLatency(const RecordedWorkload& workload, int core);

}  // namespace bench

#endif  // BENCH_LATENCY_RUN_H_
