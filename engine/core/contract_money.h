// What fills and orders of one binary market cost, to the micro-dollar.
//
// A contract pays one dollar. The buyer of q YES at p pays q × p; the seller buys NO and pays
// q × (1 − p). A YES and a NO of one account are a pair, which pays one dollar immediately.
//
//   gross  = what closed pairs pay − cost             of a fill
//   change = gross − fee + credit, rounded down to 10^-4 dollar
//   credit = what that rounding took too much, returned to the same order's next fill
//
// Specified in engine/RULES.md, sections 7 and 8. Pure functions.
//
// Every product but the fee's fits 64 bits for any input: an order has at most 10^10 units, worth
// 10^16 micro-dollars, and positions are paid for, so they are worth at most 10^17. The fee's
// dividend fits for orders of everyday size; larger ones take 128 bits and a slower division.

#ifndef ENGINE_CORE_CONTRACT_MONEY_H_
#define ENGINE_CORE_CONTRACT_MONEY_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/base/inline.h"
#include "engine/core/reciprocal.h"
#include "engine/core/resting_requirement.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"

namespace engine {

// Whether an order takes or makes decides its fee coefficient.
enum class FeeRole : uint8_t {
  kTaker,
  kMaker,
  kWorst,  // The dearer of the two, for an order that may do both.
};

// How many whole balance steps an amount has. Multiplies, because division is slower. Exact below
// 2^64 / 84, as 100 × kFactor is 2^64 + 84; that is more than twice kMoneyMax.
constexpr uint64_t WholeBalanceSteps(uint64_t micros) {
  constexpr uint64_t kFactor = ~uint64_t{0} / kBalanceStepMicros + 1;
  static_assert(kFactor * kBalanceStepMicros == 84);
  static_assert(~uint64_t{0} / 84 > 2 * static_cast<uint64_t>(kMoneyMax.micros()));
  return static_cast<uint64_t>((static_cast<unsigned __int128>(micros) * kFactor) >> 64);
}

// Rounds down to a multiple of 10^-4 dollar. REQUIRES: |amount| is at most kMoneyMax.
constexpr Money RoundDownToBalanceStep(Money amount) {
  // With kMoneyMax added the amount is never negative.
  static_assert(kMoneyMax.micros() % kBalanceStepMicros == 0);
  const auto micros = static_cast<uint64_t>((amount + kMoneyMax).micros());
  return Money::FromMicros(static_cast<int64_t>(WholeBalanceSteps(micros)) * kBalanceStepMicros) -
         kMoneyMax;
}

// What a fill does to its account.
struct FillMoney {
  Money change;  // Of the balance.
  Money fee;     // Part of the change that goes to the exchange; negative where a credit returns.
  Money credit;  // Of the order, after the fill.
};

// A regular value type.
class ContractMoney {
 public:
  ContractMoney() = default;
  // REQUIRES: the definition is sound and of a binary market.
  explicit ContractMoney(const MarketDefinition& definition);

  // What pairs pay: one dollar for each of `contracts`.
  Money Pair(Quantity contracts) const {
    return Money::FromMicros(
        static_cast<int64_t>(contracts.units() * static_cast<uint64_t>(micros_per_pair_)));
  }

  // What `side` pays for `quantity` at `price`.
  Money Cost(Side side, Quantity quantity, Price price) const {
    // Sides are unpredictable: no branch.
    const auto i = static_cast<size_t>(side);
    const uint64_t each =
        cost_constant_[i] + cost_linear_[i] * static_cast<uint64_t>(price.units());
    return Money::FromMicros(static_cast<int64_t>(quantity.units() * each));
  }

  // Until the first call the fees are FeeSchedule().
  void SetFees(const FeeSchedule& fees);
  const FeeSchedule& fees() const { return fees_; }

  // The fee of a fill, rounded up to the micro-dollar.
  Money Fee(Quantity quantity, Price price, FeeRole role) const {
    return FeeAt(RateOf(role), quantity, price);
  }

  // What a fill does. `closed` of the filled `quantity` close pairs; `credit` is the order's before
  // the fill.
  ENGINE_ALWAYS_INLINE FillMoney Fill(Side side, Quantity quantity, Price price, Quantity closed,
                                      FeeRole role, Money credit) const {
    const Money gross = Pair(closed) - Cost(side, quantity, price);
    const Money exact = gross - Fee(quantity, price, role) + credit;
    FillMoney fill;
    fill.change = RoundDownToBalanceStep(exact);
    fill.fee = gross - fill.change;
    fill.credit = exact - fill.change;
    return fill;
  }

  // The most that fills of `quantity` at `limit` or better can cost, fees and all rounding
  // included, when no pairs are closed. Inlined: a call, which saves registers, costs half as much
  // as the computation.
  ENGINE_ALWAYS_INLINE Money Requirement(Side side, Quantity quantity, Price limit, FeeRole role,
                                         Money credit) const {
    Money worst = Cost(side, quantity, limit) - credit;
    if (const uint64_t rate = RateOf(role); rate != 0) [[likely]] {
      worst += FeeAt(rate, quantity, limit);
      // Each fill's fee is rounded up; there are at most as many fills as lots.
      worst += Money::FromMicros(static_cast<int64_t>(lot_.DivideUp(quantity.units())));
    }
    if (worst <= Money()) [[unlikely]]
      return Money();
    const uint64_t micros = static_cast<uint64_t>(worst.micros()) + kBalanceStepMicros - 1;
    return Money::FromMicros(static_cast<int64_t>(WholeBalanceSteps(micros)) * kBalanceStepMicros);
  }

  // The Requirement of a maker without credit, computed faster.
  const RestingRequirement& resting() const { return resting_; }

  // An upper bound of Requirement for `quantity` without credit, at any price, side, role and
  // fees: a contract costs no more than a dollar, its fee no more than a quarter of one
  // (kFeeRateMax; P × (1 − P) is at most a quarter), and there are at most as many lots as units.
  Money RequirementBound(Quantity quantity) const {
    return Money::FromMicros(
        static_cast<int64_t>(quantity.units() * bound_each_ + 1 + kBalanceStepMicros));
  }

  // Whether a contract can settle to `value`: 0 to 1 dollar, both included.
  bool IsSettlementValue(Price value) const {
    return value.units() >= 0 && value.units() <= dollar_;
  }

  // What the holder of `contracts` YES (negative: NO) is paid when a YES settles to `value`, before
  // rounding.
  Money Settlement(int64_t contracts, Price value) const;

 private:
  uint64_t RateOf(FeeRole role) const { return rates_[static_cast<size_t>(role)]; }
  // Whether the fee's dividend fits Reciprocal at any price and rate.
  bool IsEveryday(Quantity quantity) const { return quantity.units() <= everyday_max_; }
  Money FeeAt(uint64_t rate, Quantity quantity, Price price) const {
    // The fee's dividend per quantity unit, at most kFeeRateMax × dollar_² / 4.
    const uint64_t of_one = rate * static_cast<uint64_t>(price.units()) *
                            static_cast<uint64_t>(dollar_ - price.units());
    if (!IsEveryday(quantity)) [[unlikely]]
      return WideFee(of_one, quantity);
    return Money::FromMicros(
        static_cast<int64_t>(fee_divisor_.DivideUp(of_one * quantity.units())));
  }
  Money WideFee(uint64_t of_one, Quantity quantity) const;

  int64_t dollar_ = 1;           // In price units: 10^price_decimals.
  int64_t micros_per_unit_ = 1;  // Of price × quantity.
  // A unit costs constant + linear × price, modulo 2^64: the price for bids, a dollar less the
  // price for asks. Indexed by side, 1 or 2.
  static_assert(static_cast<int>(Side::kBid) == 1 && static_cast<int>(Side::kAsk) == 2);
  std::array<uint64_t, 3> cost_linear_ = {};
  std::array<uint64_t, 3> cost_constant_ = {};
  int64_t micros_per_pair_ = 1;  // Of one quantity unit.
  uint64_t bound_each_ = 3;      // Of one quantity unit, in RequirementBound.
  uint64_t everyday_max_ = 0;    // In quantity units.
  Reciprocal fee_divisor_{1};    // 10^(quantity_decimals + 2 × price_decimals).
  Reciprocal lot_{1};            // In quantity units.
  // By role: coefficient × multiplier, below kFeeRateMax.
  std::array<uint64_t, 3> rates_ = {};
  RestingRequirement resting_;
  FeeSchedule fees_;
};

}  // namespace engine

#endif  // ENGINE_CORE_CONTRACT_MONEY_H_
