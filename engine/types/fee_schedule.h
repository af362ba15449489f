// The fee of a fill: coefficient × multiplier × C × P × (1 − P) dollars for C contracts at price P.

#ifndef ENGINE_TYPES_FEE_SCHEDULE_H_
#define ENGINE_TYPES_FEE_SCHEDULE_H_

#include <cstdint>

namespace engine {

// A regular value type, carried as the attachment of a set-fees command. The default charges
// nothing.
struct FeeSchedule {
  uint32_t taker_coefficient = 0;  // In 10^-4: 700 is 0.07.
  uint32_t maker_coefficient = 0;  // In 10^-4: 175 is 0.0175.
  uint32_t multiplier = 100;       // In 10^-2: 100 is 1.

  friend bool operator==(const FeeSchedule&, const FeeSchedule&) = default;
};

// coefficient × multiplier stays below 1. A better price then never costs more, fee included, and
// the fee never exceeds what a contract pays.
inline constexpr uint64_t kFeeRateMax =
    1'000'000;  // Bound of coefficient × multiplier, exclusive, in 10^-6.

constexpr bool IsSound(const FeeSchedule& fees) {
  return uint64_t{fees.taker_coefficient} * fees.multiplier < kFeeRateMax &&
         uint64_t{fees.maker_coefficient} * fees.multiplier < kFeeRateMax;
}

}  // namespace engine

#endif  // ENGINE_TYPES_FEE_SCHEDULE_H_
