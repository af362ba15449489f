// The path of a mid price, in ticks: a geometric Brownian motion scaled to a given swing.

#ifndef ENGINE_WORKLOAD_MID_PATH_H_
#define ENGINE_WORKLOAD_MID_PATH_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/workload/random_numbers.h"

namespace bench {

struct MidPath {
  size_t step_count = 2;
  int64_t first = 1;          // The mid of the first step, in ticks.
  int64_t swing_percent = 0;  // Highest minus lowest mid, relative to the first. Range [0, 90].

  // How many of 1000 prices of the first half cannot be paired with a price of the second half that
  // is not higher; the drift is chosen accordingly. 1000: the whole second half is above the first.
  // 0: the price falls throughout. Range [0, 1000].
  int64_t apart_permille = 500;
};

std::vector<int64_t> MakeMidPath(RandomNumbers& random, const MidPath& path);

}  // namespace bench

#endif  // ENGINE_WORKLOAD_MID_PATH_H_
