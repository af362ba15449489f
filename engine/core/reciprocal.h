// Division by a number that is known long before: a multiplication and a correction.
//
//   guess = value × ⌊(2^64 − 1) / divisor⌋ / 2^64      the quotient, or one less

#ifndef ENGINE_CORE_RECIPROCAL_H_
#define ENGINE_CORE_RECIPROCAL_H_

#include <cstdint>

#include "engine/base/check.h"

namespace engine {

// A regular value type. Exact for every value.
class Reciprocal {
 public:
  // REQUIRES: divisor > 0.
  explicit Reciprocal(uint64_t divisor) : divisor_(divisor) {
    CHECK(divisor > 0);
    factor_ = ~uint64_t{0} / divisor;
  }

  uint64_t divisor() const { return divisor_; }

  // Rounded up.
  uint64_t DivideUp(uint64_t value) const {
    const auto guess =
        static_cast<uint64_t>((static_cast<unsigned __int128>(value) * factor_) >> 64);
    const uint64_t rest = value - guess * divisor_;  // Below twice the divisor.
    return guess + (rest > divisor_ ? 1 : 0) + (rest > 0 ? 1 : 0);
  }

  // Rounded down.
  uint64_t Divide(uint64_t value) const {
    const auto guess =
        static_cast<uint64_t>((static_cast<unsigned __int128>(value) * factor_) >> 64);
    return guess + (value - guess * divisor_ >= divisor_ ? 1 : 0);
  }

 private:
  uint64_t divisor_;
  uint64_t factor_;
};

}  // namespace engine

#endif  // ENGINE_CORE_RECIPROCAL_H_
