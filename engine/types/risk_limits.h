// The risk limits of one account. Zero means no limit.

#ifndef ENGINE_TYPES_RISK_LIMITS_H_
#define ENGINE_TYPES_RISK_LIMITS_H_

#include <cstdint>

#include "engine/types/money.h"
#include "engine/types/quantity.h"

namespace engine {

// A regular value type, carried as the attachment of a set-risk-limits command.
struct RiskLimits {
  uint64_t open_orders_max = 0;        // Resting at the same time.
  Quantity order_quantity_max;         // Of one order, in units of its market.
  Money order_notional_max;            // |Price| × quantity of one order: engine/RULES.md, 10.
  uint64_t orders_per_second_max = 0;  // New, replace and amend commands in one second of log time.

  friend bool operator==(const RiskLimits&, const RiskLimits&) = default;
};

// The highest position limit of an account in a market. A position limit is no field of RiskLimits:
// it is of a market, and a set-position-limit command carries it.
inline constexpr Quantity kPositionLimitMax = Quantity::FromUnits(1'000'000'000'000'000'000);

}  // namespace engine

#endif  // ENGINE_TYPES_RISK_LIMITS_H_
