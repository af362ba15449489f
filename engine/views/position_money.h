// What fills and settlements do to a position, to the micro-dollar. Pure functions.
//
//   a bid of 5 at 0.50   opens 5 YES: cost basis 2.50
//   an ask of 8 at 0.51  closes 5: pays 5 − 2.50 − 5 × 0.49 = 0.05, realised
//                        opens 3 NO: cost basis 3 × 0.49 = 1.47

#ifndef ENGINE_VIEWS_POSITION_MONEY_H_
#define ENGINE_VIEWS_POSITION_MONEY_H_

#include <cstdint>

#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/views/portfolio_rows.h"

namespace engine {

// The sum, or the largest amount if it does not fit: of what only ever grows.
Money AddUpTo(Money sum, Money more);

// The units of a market in dollars. A regular value type; the default is of equity markets, where
// everything costs nothing.
struct ContractUnits {
  int64_t dollar = 0;           // In price units.
  int64_t micros_per_unit = 0;  // Of quantity × price.

  // REQUIRES: the definition is sound.
  static ContractUnits Of(const MarketDefinition& market);

  bool is_binary() const { return dollar != 0; }
  // What `side` pays for `quantity` at `price`. In an equity market quantity × price may not fit.
  Money Cost(Side side, Quantity quantity, Price price) const {
    const int64_t each = side == Side::kBid ? price.units() : dollar - price.units();
    return Money::FromMicros(static_cast<int64_t>(quantity.units()) * (each * micros_per_unit));
  }
  Money Pair(Quantity contracts) const {
    return Money::FromMicros(static_cast<int64_t>(contracts.units()) * dollar * micros_per_unit);
  }
};

// A fill of a binary market. Leaves times as they are. REQUIRES: `quantity` is not zero.
void ApplyFill(const ContractUnits& units, Side side, Quantity quantity, Price price, Money fee,
               PortfolioPosition& position);

// The position is paid `revenue` and is over.
void ApplySettlement(Money revenue, PortfolioPosition& position);

}  // namespace engine

#endif  // ENGINE_VIEWS_POSITION_MONEY_H_
