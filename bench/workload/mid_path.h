// The way of a mid price, in ticks: a geometric Brownian motion that is stretched to a given swing.

#ifndef BENCH_WORKLOAD_MID_PATH_H_
#define BENCH_WORKLOAD_MID_PATH_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/workload/random_numbers.h"

namespace bench {

struct MidPath {
  size_t step_count = 2;
  int64_t first = 1;          // The mid of the first step, in ticks.
  int64_t swing_percent = 0;  // Highest less lowest, of the first. Range [0, 90].

  // How many of a thousand prices of the first half could not be paired with one of the second half
  // that is no higher: the drift is chosen so. 1000: the second half stands above the first; 0: the
  // price falls through and through. Range [0, 1000].
  int64_t apart_permille = 500;
};

std::vector<int64_t> MakeMidPath(RandomNumbers& random, const MidPath& path);

}  // namespace bench

#endif  // BENCH_WORKLOAD_MID_PATH_H_
