// What an order requires when it starts to rest, computed with one division.
//
// Cost, fee and rounding are proportional to the quantity, and quadratic in the price p. Two
// roundings up are one, ⌈⌈x / a⌉ / b⌉ = ⌈x / (a × b)⌉:
//
//   required = step × ⌈ quantity × (constant + (linear + quadratic × p) × p) / divisor ⌉
//
//              constant     a bid: rounding            an ask: a dollar + rounding
//              linear       a bid: + 1 + rate × dollar  an ask: − 1 + rate × dollar
//              quadratic    − rate
//
// Specified in engine/RULES.md, section 7, Reserved. Equals ContractMoney::Requirement of a maker
// without credit (resting_requirement_test). Pure functions.

#ifndef ENGINE_CORE_RESTING_REQUIREMENT_H_
#define ENGINE_CORE_RESTING_REQUIREMENT_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/base/inline.h"
#include "engine/core/reciprocal.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"

namespace engine {

// A regular value type.
class RestingRequirement {
 public:
  // In units of price and quantity.
  struct Terms {
    int64_t dollar = 1;
    int64_t micros_per_unit = 1;  // Of price × quantity.
    uint64_t fee_divisor = 1;     // A fee is rate × p × (dollar − p) × quantity over this.
    uint64_t rate = 0;            // Zero: no fee, and no rounding either.
    uint64_t lot = 1;             // With a fee, one micro-dollar is added for each lot.
  };
  // Takes no order.
  RestingRequirement() = default;
  explicit RestingRequirement(const Terms& terms);

  // Whether Of computes the requirement of `quantity`: not of an extraordinarily large one, and of
  // none if there is a fee and its divisor is not a multiple of the lot.
  bool Takes(Quantity quantity) const { return quantity.units() <= quantity_max_; }

  // REQUIRES: Takes(quantity), which is a multiple of the lot; the price is 0 to 1 dollar.
  ENGINE_ALWAYS_INLINE Money Of(Side side, Quantity quantity, Price price) const {
    const auto p = static_cast<uint64_t>(price.units());
    const auto i = static_cast<size_t>(side);
    const uint64_t each = constant_[i] + (linear_[i] + quadratic_ * p) * p;
    return Money::FromMicros(static_cast<int64_t>(divisor_.DivideUp(quantity.units() * each)) *
                             kBalanceStepMicros);
  }

 private:
  // Indexed by side, 1 or 2. All arithmetic here is modulo 2^64.
  static_assert(static_cast<int>(Side::kBid) == 1 && static_cast<int>(Side::kAsk) == 2);
  using BySide = std::array<uint64_t, 3>;

  uint64_t quantity_max_ = 0;
  uint64_t quadratic_ = 0;
  BySide linear_ = {};
  BySide constant_ = {};
  Reciprocal divisor_{1};
};

}  // namespace engine

#endif  // ENGINE_CORE_RESTING_REQUIREMENT_H_
