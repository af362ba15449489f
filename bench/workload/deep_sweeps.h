// Takers that cross many makers at once: nothing but them is timed.

#ifndef BENCH_WORKLOAD_DEEP_SWEEPS_H_
#define BENCH_WORKLOAD_DEEP_SWEEPS_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "bench/workload/workload.h"

namespace bench {

struct DeepSweeps {
  std::string name;
  uint32_t seed = 1;
  size_t makers_per_taker = 100;
  size_t maker_count = 200'000;  // Rounded to whole pairs of takers.
};

// The makers are warm-up. Takers in turn cross as many levels of one maker each, and one level of
// as many makers; each fills them all and nothing else. The makers of one taker arrived together,
// in no order.
Workload MakeDeepSweeps(const DeepSweeps& options);

}  // namespace bench

#endif  // BENCH_WORKLOAD_DEEP_SWEEPS_H_
