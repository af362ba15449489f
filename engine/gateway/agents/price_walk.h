// The price that a market's agents think fair: a random walk that stays between two prices.

#ifndef ENGINE_GATEWAY_AGENTS_PRICE_WALK_H_
#define ENGINE_GATEWAY_AGENTS_PRICE_WALK_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "engine/base/prng.h"
#include "engine/types/price.h"

namespace engine {

// A regular value type.
class PriceWalk {
 public:
  // `per_minute`: the standard deviation of what it moves in a minute. REQUIRES: low <= start <=
  // high, per_minute >= 0.
  PriceWalk(Price low, Price high, Price start, Price per_minute)
      : low_(static_cast<double>(low.units())),
        high_(static_cast<double>(high.units())),
        units_(static_cast<double>(start.units())),
        per_minute_(static_cast<double>(per_minute.units())) {}

  // Moves it by what happens in `nanos`, at most an hour.
  void Advance(Prng& prng, int64_t nanos) {
    constexpr double kMinute = 60e9;
    const double minutes = std::clamp(static_cast<double>(nanos) / kMinute, 0.0, 60.0);
    units_ += Normal(prng) * per_minute_ * std::sqrt(minutes);
    // A walk that leaves comes back by as much.
    if (units_ < low_) units_ = 2 * low_ - units_;
    if (units_ > high_) units_ = 2 * high_ - units_;
    units_ = std::clamp(units_, low_, high_);
  }

  // In units of the price, between the two.
  double units() const { return units_; }

 private:
  // Nearly normal, with deviation 1: the sum of twelve uniform values.
  static double Normal(Prng& prng) {
    constexpr int64_t kParts = 1'000'000;
    int64_t sum = 0;
    for (int i = 0; i < 12; ++i) sum += prng.Between(0, kParts);
    return static_cast<double>(sum) / kParts - 6.0;
  }

  double low_;
  double high_;
  double units_;
  double per_minute_;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_AGENTS_PRICE_WALK_H_
