// Division by a divisor that is known in advance: a multiplication and a shift.
//
//   2^(n-1) < divisor <= 2^n      factor = ⌈2^(63+n) / divisor⌉, of 64 bits
//
//   For value < 2^63, value × factor / 2^(63+n) is too large by less than 1 / divisor, so it has
//   the same whole part as the quotient: exact (Granlund and Montgomery).

#ifndef ENGINE_CORE_RECIPROCAL_H_
#define ENGINE_CORE_RECIPROCAL_H_

#include <bit>
#include <cstdint>

#include "engine/base/check.h"

namespace engine {

// A regular value type.
class Reciprocal {
 public:
  static constexpr uint64_t kMax = uint64_t{1} << 62;  // Of divisors and dividends.

  // REQUIRES: 0 < divisor <= kMax.
  explicit Reciprocal(uint64_t divisor)
      : divisor_(divisor),
        twice_less_one_(2 * (divisor - 1)),
        shift_(static_cast<int>(std::bit_width(divisor - 1))) {
    CHECK(divisor > 0 && divisor <= kMax);
    const unsigned __int128 power = static_cast<unsigned __int128>(1) << (63 + shift_);
    factor_ = static_cast<uint64_t>((power + divisor - 1) / divisor);
  }

  uint64_t divisor() const { return divisor_; }

  // value / divisor, rounded up. REQUIRES: value <= kMax.
  uint64_t DivideUp(uint64_t value) const {
    const uint64_t twice = 2 * value + twice_less_one_;  // 2 × (value + divisor − 1).
    return static_cast<uint64_t>((static_cast<unsigned __int128>(twice) * factor_) >> 64) >> shift_;
  }

 private:
  uint64_t divisor_;
  uint64_t twice_less_one_;
  uint64_t factor_;
  int shift_;
};

}  // namespace engine

#endif  // ENGINE_CORE_RECIPROCAL_H_
