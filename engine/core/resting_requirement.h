// What an order requires where it comes to rest, in one division.
//
// Cost, fee and rounding are each so much for every unit, and of the price p nothing but a
// parabola. A rounding of what was rounded is one rounding, ⌈⌈x / a⌉ / b⌉ = ⌈x / (a × b)⌉:
//
//   required = step × ⌈ quantity × (constant + (linear + quadratic × p) × p) / divisor ⌉
//
//              constant     a bid: rounding            an ask: a dollar + rounding
//              linear       a bid: + 1 + rate × dollar  an ask: − 1 + rate × dollar
//              quadratic    − rate
//
// Specified in engine/RULES.md, Money: Reserved. ContractMoney::Requirement is what it stands for.
// Pure functions.

#ifndef ENGINE_CORE_RESTING_REQUIREMENT_H_
#define ENGINE_CORE_RESTING_REQUIREMENT_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/base/inline.h"
#include "engine/book/fault.h"
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
    uint64_t lot = 1;  // As many micros are added as there are lots, where there is a fee.
  };
  // Of nothing: it takes no order.
  RestingRequirement() = default;
  explicit RestingRequirement(const Terms& terms);

  // Whether it knows what an order for as much requires: not of extraordinarily large ones, and of
  // none where there is a fee and its divisor is no multiple of the lot.
  bool Takes(Quantity quantity) const {
    // Rules that are broken there must not be mended here.
    if (ENGINE_FAULT(kFeeRoundedDown) || ENGINE_FAULT(kReserveWithoutRounding) ||
        ENGINE_FAULT(kMakerPaysTakerFee)) {
      return false;
    }
    return quantity.units() <= quantity_max_;
  }

  // REQUIRES: it takes the quantity, which is a multiple of the lot; the price is 0 to 1 dollar.
  ENGINE_ALWAYS_INLINE Money Of(Side side, Quantity quantity, Price price) const {
    const auto p = static_cast<uint64_t>(price.units());
    const auto i = static_cast<size_t>(side);
    const uint64_t each = constant_[i] + (linear_[i] + quadratic_ * p) * p;
    return Money::FromMicros(static_cast<int64_t>(divisor_.DivideUp(quantity.units() * each)) *
                             kBalanceStepMicros);
  }

 private:
  // Modulo 2^64, as all that is added and multiplied here. By side, of which none is zero.
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
