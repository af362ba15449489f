// One division gives the result of ContractMoney::Requirement.

#include "engine/core/resting_requirement.h"

#include <algorithm>
#include <cstdint>

#include "engine/base/prng.h"
#include "engine/core/contract_money.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

ContractMoney MoneyOf(int price_decimals, int quantity_decimals, uint64_t lot,
                      const FeeSchedule& fees) {
  MarketDefinition market;
  market.kind = MarketKind::kBinary;
  market.price_decimals = price_decimals;
  market.quantity_decimals = quantity_decimals;
  market.lot = Quantity::FromUnits(lot);
  ContractMoney money(market);
  money.SetFees(fees);
  return money;
}

void ExpectAsAsked(const ContractMoney& money, Side side, uint64_t quantity, int64_t price) {
  const Quantity units = Quantity::FromUnits(quantity);
  const Price limit = Price::FromUnits(price);
  ASSERT_EQ(money.resting().Of(side, units, limit),
            money.Requirement(side, units, limit, FeeRole::kMaker, Money()))
      << quantity << " at " << price;
}

// The largest quantity that it takes: what it takes ends somewhere.
uint64_t LargestTaken(const RestingRequirement& resting) {
  uint64_t low = 0;
  for (uint64_t high = kQuantityMax.units(); low < high;) {
    const uint64_t middle = low + (high - low + 1) / 2;
    resting.Takes(Quantity::FromUnits(middle)) ? low = middle : high = middle - 1;
  }
  return low;
}

TEST(RestingRequirement, IsCostFeeAndRoundingInWholeSteps) {
  // 0.52 + 0.0175 × 0.52 × 0.48 + 100 × 0.000001 = 0.524468, rounded up.
  const ContractMoney money =
      MoneyOf(4, 2, 1, {.taker_coefficient = 700, .maker_coefficient = 175});
  EXPECT_EQ(
      money.resting().Of(Side::kBid, Quantity::FromUnits(100), Price::FromUnits(5'200)).ToString(),
      "0.524500");
  EXPECT_EQ(
      money.resting().Of(Side::kAsk, Quantity::FromUnits(100), Price::FromUnits(5'200)).ToString(),
      "0.484500");
}

TEST(RestingRequirement, TakesOrdersOfAMillionContractsWhereFeesHaveFewDigits) {
  const FeeSchedule fees = {.taker_coefficient = 700, .maker_coefficient = 175};
  EXPECT_GE(LargestTaken(MoneyOf(4, 2, 1, fees).resting()), 100'000'000u);
  EXPECT_GE(LargestTaken(MoneyOf(2, 2, 1, fees).resting()), 100'000'000u);
  EXPECT_EQ(LargestTaken(MoneyOf(2, 0, 1, {}).resting()), kQuantityMax.units());
}

TEST(RestingRequirement, TakesNoneWhereThereIsAFeeAndLotsAreOddParts) {
  EXPECT_EQ(LargestTaken(MoneyOf(2, 2, 3, {.maker_coefficient = 1}).resting()), 0u);
  EXPECT_GT(LargestTaken(MoneyOf(2, 2, 3, {}).resting()), 0u);
  EXPECT_EQ(LargestTaken(RestingRequirement()), 0u);
}

// Any market, fees, lot: every price of small ones, and those of large ones that matter most; up to
// the largest quantity that is taken.
TEST(RestingRequirement, EqualsTheRequirementOfContractMoney) {
  Prng prng(1);
  int taken = 0;
  for (int round = 0; round < 20'000; ++round) {
    const auto decimals = static_cast<int>(1 + prng.Below(6));
    const auto more = static_cast<int>(prng.Below(static_cast<uint64_t>(7 - decimals)));
    const uint64_t lots[] = {1, 1, 2, 3, 5, 10, 25, 100, 1 + prng.Below(1'000)};
    const uint64_t lot = lots[prng.Below(9)];
    const uint32_t coefficients[] = {0,   1,     175,
                                     700, 9'999, static_cast<uint32_t>(prng.Below(9'999))};
    const ContractMoney money =
        MoneyOf(decimals, more, lot, {.maker_coefficient = coefficients[prng.Below(6)]});
    const uint64_t most = LargestTaken(money.resting()) / lot * lot;
    if (most == 0) continue;
    ++taken;
    int64_t dollar = 1;
    for (int i = 0; i < decimals; ++i) dollar *= 10;
    for (const Side side : {Side::kBid, Side::kAsk}) {
      for (const int64_t price :
           {int64_t{0}, int64_t{1}, dollar / 2, dollar - 1, dollar, prng.Between(0, dollar)}) {
        for (const uint64_t quantity : {lot, most, std::min(most, lot * (1 + prng.Below(100))),
                                        lot * (1 + prng.Below(most / lot))}) {
          ASSERT_NO_FATAL_FAILURE(ExpectAsAsked(money, side, quantity, price))
              << "decimals " << decimals << " and " << more << ", lot " << lot;
        }
      }
    }
  }
  EXPECT_GT(taken, 10'000);
}

}  // namespace
}  // namespace engine
