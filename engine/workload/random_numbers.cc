#include "engine/workload/random_numbers.h"

#include <algorithm>

#include "engine/base/check.h"

namespace bench {

// Lemire's method.
uint64_t RandomNumbers::Below(uint64_t bound) {
  CHECK(bound > 0);
  const uint64_t threshold = -bound % bound;
  while (true) {
    const auto product = static_cast<unsigned __int128>(Word64()) * bound;
    if (static_cast<uint64_t>(product) >= threshold) return static_cast<uint64_t>(product >> 64);
  }
}

Fixed RandomNumbers::Exponential() {
  // Never 0, which has no logarithm.
  const uint64_t uniform = (Word64() >> 1) + 1;
  return -LogOf(uniform, 63);
}

int64_t RandomNumbers::Exponential(int64_t mean) {
  return static_cast<int64_t>((static_cast<__int128>(Exponential()) * mean) >> kFixedBits);
}

// (u, v) uniform in the unit disc, s = u² + v²: u × sqrt(-2 ln s / s) is normal.
Fixed RandomNumbers::Normal() {
  while (true) {
    const auto u = static_cast<int32_t>(words_.Next());  // Times 2^31.
    const auto v = static_cast<int32_t>(words_.Next());
    const uint64_t s =
        static_cast<uint64_t>(int64_t{u} * u) + static_cast<uint64_t>(int64_t{v} * v);
    if (s == 0 || s >= uint64_t{1} << 62) continue;
    const auto minus_two_log = static_cast<unsigned __int128>(-2 * LogOf(s, 62));
    const uint64_t factor = SquareRoot((minus_two_log << 86) / s);  // Times 2^28.
    return static_cast<Fixed>((static_cast<__int128>(u) * factor) >> 27);
  }
}

WeightedTable::WeightedTable(const std::vector<int64_t>& weights) {
  CHECK(!weights.empty());
  uint64_t sum = 0;
  for (const int64_t weight : weights) {
    CHECK(weight >= 0) << weight;
    sums_.push_back(sum += static_cast<uint64_t>(weight));
  }
  CHECK(sum > 0 && sum < uint64_t{1} << 63) << sum;
}

size_t WeightedTable::Draw(RandomNumbers& random) const {
  const uint64_t at = random.Below(sums_.back());
  return static_cast<size_t>(std::upper_bound(sums_.begin(), sums_.end(), at) - sums_.begin());
}

}  // namespace bench
