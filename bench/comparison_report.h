// Prints a comparison as text or as JSON.

#ifndef BENCH_COMPARISON_REPORT_H_
#define BENCH_COMPARISON_REPORT_H_

#include "bench/comparison.h"
#include "bench/latency_run.h"
#include "bench/provenance.h"
#include "bench/recorded_workload.h"
#include "tools/cli/base/console.h"

namespace bench {

void PrintProvenance(tools::Console& console, const Provenance& provenance);

// A table with a bar for each row, or one line of JSON (schema ticktape.apply_bench/1).
void PrintComparison(tools::Console& console, const Provenance& provenance,
                     const RecordedWorkload& workload, const Comparison& comparison);

// Percentiles per kind of command (schema ticktape.apply_bench.latency/1).
void PrintLatency(tools::Console& console, const Provenance& provenance,
                  const RecordedWorkload& workload, const LatencyResult& result);

}  // namespace bench

#endif  // BENCH_COMPARISON_REPORT_H_
