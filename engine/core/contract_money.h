// What fills and orders of one binary market cost, to the micro-dollar.
//
// A contract pays one dollar. Whoever buys q YES at p pays q × p; whoever sells pays q × (1 − p),
// as the buyer of NO. A YES and a NO of one account are worth a dollar together at once: a pair.
//
//   gross  = pairs closed − cost                      of a fill
//   change = gross − fee + credit, rounded down to 10^-4 dollar
//   credit = what that rounding took too much, returned to the same order's next fill
//
// Specified in engine/RULES.md, Money. Pure functions; the products are taken in 128 bits.

#ifndef ENGINE_CORE_CONTRACT_MONEY_H_
#define ENGINE_CORE_CONTRACT_MONEY_H_

#include <cstdint>

#include "engine/types/fee_schedule.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"

namespace engine {

// Whether an order takes or makes decides its coefficient.
enum class FeeRole : uint8_t {
  kTaker,
  kMaker,
  kWorst,  // Of an order that may do both.
};

// What a fill does to its account.
struct FillMoney {
  Money change;  // Of the balance.
  Money fee;     // Part of the change that goes to the exchange; below zero where a credit returns.
  Money credit;  // Of the order, afterwards.
};

// A regular value type.
class ContractMoney {
 public:
  ContractMoney() = default;
  // REQUIRES: the definition is sound and of a binary market.
  explicit ContractMoney(const MarketDefinition& definition);

  // One dollar a contract.
  Money Pair(Quantity contracts) const;

  // What `side` pays for `quantity` at `price`.
  Money Cost(Side side, Quantity quantity, Price price) const;

  // Rounded up to the micro-dollar.
  Money Fee(Quantity quantity, Price price, const FeeSchedule& fees, FeeRole role) const;

  // `closed` of the filled `quantity` close pairs. `credit` is the order's before the fill.
  FillMoney Fill(Side side, Quantity quantity, Price price, Quantity closed,
                 const FeeSchedule& fees, FeeRole role, Money credit) const;

  // The most that fills of `quantity` at `limit` or better can cost, fees and all rounding
  // included, when no pairs are closed.
  Money Requirement(Side side, Quantity quantity, Price limit, const FeeSchedule& fees,
                    FeeRole role, Money credit) const;

  // Whether a contract can settle to it: 0 to 1 dollar, both included.
  bool IsSettlementValue(Price value) const {
    return value.units() >= 0 && value.units() <= dollar_;
  }

  // What the holder of `contracts` YES (below zero: NO) is paid at `value` for each YES, before
  // rounding.
  Money Settlement(int64_t contracts, Price value) const;

 private:
  int64_t dollar_ = 1;           // In price units: 10^price_decimals.
  int64_t micros_per_unit_ = 1;  // Of price × quantity.
  int64_t micros_per_pair_ = 1;  // Of one quantity unit.
  __int128 fee_divisor_ = 1;     // 10^(quantity_decimals + 2 × price_decimals).
  Quantity lot_ = Quantity::FromUnits(1);
};

// To the next multiple of 10^-4 dollar below.
Money RoundDownToBalanceStep(Money amount);

}  // namespace engine

#endif  // ENGINE_CORE_CONTRACT_MONEY_H_
