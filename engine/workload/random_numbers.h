// The random distributions of the order flows, on a Mersenne Twister, in integer arithmetic: the
// same numbers on every machine.

#ifndef ENGINE_WORKLOAD_RANDOM_NUMBERS_H_
#define ENGINE_WORKLOAD_RANDOM_NUMBERS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/workload/fixed_point.h"
#include "engine/workload/mersenne_twister.h"

namespace bench {

// A regular value type: a copy continues as the original would.
class RandomNumbers {
 public:
  explicit RandomNumbers(uint32_t seed) : words_(seed) {}

  // Uniform in [0, bound), without bias. REQUIRES: bound > 0.
  uint64_t Below(uint64_t bound);

  // Uniform in [low, high], both included. REQUIRES: low <= high.
  int64_t Between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(Below(static_cast<uint64_t>(high - low) + 1));
  }

  // True in `percent` of 100 cases.
  bool Chance(uint64_t percent) { return Below(100) < percent; }

  // Exponentially distributed with mean 1.
  Fixed Exponential();
  // The same with mean `mean`, rounded down. REQUIRES: 0 <= mean < 2^58.
  int64_t Exponential(int64_t mean);

  // Normally distributed with mean 0 and deviation 1 (Marsaglia's polar method).
  Fixed Normal();

 private:
  uint64_t Word64() {
    const uint64_t high = words_.Next();
    return (high << 32) | words_.Next();
  }

  MersenneTwister words_;
};

// Draws 0, 1, 2, ... with given weights. Immutable.
class WeightedTable {
 public:
  // REQUIRES: `weights` is not empty, none is negative, and their sum is in [1, 2^63).
  explicit WeightedTable(const std::vector<int64_t>& weights);

  size_t Draw(RandomNumbers& random) const;

 private:
  std::vector<uint64_t> sums_;  // Of the weights up to and including this one.
};

}  // namespace bench

#endif  // ENGINE_WORKLOAD_RANDOM_NUMBERS_H_
