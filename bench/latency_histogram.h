// The histogram of `ticktape retime`, for the benchmarks.

#ifndef BENCH_LATENCY_HISTOGRAM_H_
#define BENCH_LATENCY_HISTOGRAM_H_

#include "replay/retime/latency_histogram.h"

namespace bench {

using replay::LatencyHistogram;

}  // namespace bench

#endif  // BENCH_LATENCY_HISTOGRAM_H_
