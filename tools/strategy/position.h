// What a strategy has in one market, and what it is worth.

#ifndef TOOLS_STRATEGY_POSITION_H_
#define TOOLS_STRATEGY_POSITION_H_

#include <cstdint>

#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"

namespace strategy {

// A regular value type. Sums are exact: they are kept in price units times quantity units.
class Position {
 public:
  Position() = default;
  explicit Position(const engine::MarketDefinition& market);

  // In quantity units; negative: short.
  int64_t units() const { return units_; }
  engine::Money fees() const { return fees_; }
  uint64_t bought() const { return bought_; }
  uint64_t sold() const { return sold_; }

  void Fill(engine::Side side, engine::Price price, engine::Quantity quantity, engine::Money fee);
  // Takes over what a venue reports. What the difference was paid with is not known: it is as if
  // it had been traded at the price of which `twice_price` is the double.
  void Set(int64_t units, int64_t twice_price);

  // The profit if all were sold at the price of which `twice_price` is the double; fees are
  // subtracted. Rounded towards zero to 10^-6 dollar.
  engine::Money Profit(int64_t twice_price) const;

 private:
  int64_t units_ = 0;
  __int128 twice_cash_ = 0;  // Price units times quantity units, doubled.
  engine::Money fees_;
  uint64_t bought_ = 0;  // Quantity units.
  uint64_t sold_ = 0;
  // Of a sum in 10^-6 dollar.
  int64_t factor_ = 1;
  int64_t divisor_ = 2;
};

}  // namespace strategy

#endif  // TOOLS_STRATEGY_POSITION_H_
