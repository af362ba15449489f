// Takers that each fill many makers; only the takers are timed.

#ifndef ENGINE_WORKLOAD_DEEP_SWEEPS_H_
#define ENGINE_WORKLOAD_DEEP_SWEEPS_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/workload/workload.h"

namespace bench {

struct DeepSweeps {
  std::string name;
  uint32_t seed = 1;
  size_t makers_per_taker = 100;
  size_t maker_count = 200'000;  // Rounded to whole pairs of takers.
};

// The makers are the warm-up. Takers alternate between many levels of one maker each and one level
// with as many makers. Each taker fills exactly its own makers, which arrived one after the other
// in random order.
Workload MakeDeepSweeps(const DeepSweeps& options);

}  // namespace bench

#endif  // ENGINE_WORKLOAD_DEEP_SWEEPS_H_
