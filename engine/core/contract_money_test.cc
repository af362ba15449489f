// The examples of engine/RULES.md, the boundaries, and what keeps an account from being overdrawn.

#include "engine/core/contract_money.h"

#include <cstdint>
#include <string>

#include "engine/base/prng.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr FeeSchedule kFees = {.taker_coefficient = 700, .maker_coefficient = 175};

MarketDefinition Market(int price_decimals, int quantity_decimals) {
  MarketDefinition market;
  market.kind = MarketKind::kBinary;
  market.price_decimals = price_decimals;
  market.quantity_decimals = quantity_decimals;
  return market;
}

// Prices of 0.0001 dollar, quantities of 0.01 contract.
ContractMoney Kalshi(const FeeSchedule& fees = kFees) {
  ContractMoney money(Market(4, 2));
  money.SetFees(fees);
  return money;
}

Price Cents(int64_t cents) { return Price::FromUnits(100 * cents); }
Quantity Hundredths(uint64_t hundredths) { return Quantity::FromUnits(hundredths); }

std::string TakerFee(Side side, uint64_t hundredths, int64_t cents) {
  return Kalshi()
      .Fill(side, Hundredths(hundredths), Cents(cents), Quantity(), FeeRole::kTaker, Money())
      .fee.ToString();
}

TEST(ContractMoney, TheWorkedExamples) {
  EXPECT_EQ(TakerFee(Side::kBid, 100, 52), "0.017500");
  EXPECT_EQ(TakerFee(Side::kBid, 100, 99), "0.000700");
  EXPECT_EQ(TakerFee(Side::kBid, 552, 17), "0.054600");
  EXPECT_EQ(TakerFee(Side::kAsk, 116, 16), "0.011000");
}

TEST(ContractMoney, FeesAreRoundedUpToTheMicroDollar) {
  // 0.07 × 1 × 0.52 × 0.48 = 0.017472; × 0.01 = 0.00017472.
  EXPECT_EQ(Kalshi().Fee(Hundredths(100), Cents(52), FeeRole::kTaker).micros(), 17'472);
  EXPECT_EQ(Kalshi().Fee(Hundredths(1), Cents(52), FeeRole::kTaker).micros(), 175);
  EXPECT_EQ(Kalshi().Fee(Hundredths(100), Cents(52), FeeRole::kMaker).micros(), 4'368);
  EXPECT_EQ(Kalshi({}).Fee(Hundredths(100), Cents(52), FeeRole::kWorst), Money());
}

TEST(ContractMoney, TheMultiplierIsInHundredths) {
  FeeSchedule half = kFees;
  half.multiplier = 50;
  EXPECT_EQ(Kalshi(half).Fee(Hundredths(100), Cents(52), FeeRole::kTaker).micros(), 8'736);
}

TEST(ContractMoney, BuyersPayThePriceAndSellersTheRestOfTheDollar) {
  EXPECT_EQ(Kalshi().Cost(Side::kBid, Hundredths(100), Cents(30)).ToString(), "0.300000");
  EXPECT_EQ(Kalshi().Cost(Side::kAsk, Hundredths(100), Cents(30)).ToString(), "0.700000");
  EXPECT_EQ(Kalshi().Pair(Hundredths(250)).ToString(), "2.500000");
}

TEST(ContractMoney, TheRoundingCreditReturnsToTheSameOrder) {
  Money credit;
  Money paid;
  for (int i = 0; i < 100; ++i) {
    const FillMoney fill =
        Kalshi().Fill(Side::kBid, Hundredths(100), Cents(52), Quantity(), FeeRole::kTaker, credit);
    EXPECT_EQ(fill.change.micros() % kBalanceStepMicros, 0);
    EXPECT_GE(fill.credit, Money());
    EXPECT_LT(fill.credit.micros(), kBalanceStepMicros);
    credit = fill.credit;
    paid -= fill.change;
  }
  // 100 × (0.52 + 0.017472) = 53.7472, of which nothing is left to round.
  EXPECT_EQ(paid.ToString(), "53.747200");
  EXPECT_EQ(credit, Money());
}

TEST(ContractMoney, AReturnedCreditShowsAsANegativeFee) {
  const FillMoney fill = Kalshi({}).Fill(Side::kBid, Hundredths(100), Cents(50), Quantity(),
                                         FeeRole::kMaker, Money::FromMicros(99));
  EXPECT_EQ(fill.change.micros(), -500'000);
  EXPECT_EQ(fill.credit.micros(), 99);
  const ContractMoney fine(Market(6, 0));
  const FillMoney odd = fine.Fill(Side::kBid, Quantity::FromUnits(1), Price::FromUnits(500'001),
                                  Quantity(), FeeRole::kMaker, Money::FromMicros(99));
  EXPECT_EQ(odd.change.micros(), -500'000);
  EXPECT_EQ(odd.fee.micros(), -1);
  EXPECT_EQ(odd.credit.micros(), 98);
}

TEST(ContractMoney, ClosingAPairPaysADollar) {
  const FillMoney fill = Kalshi({}).Fill(Side::kBid, Hundredths(100), Cents(30), Hundredths(100),
                                         FeeRole::kTaker, Money());
  EXPECT_EQ(fill.change.ToString(), "0.700000");
}

TEST(ContractMoney, RequirementIsCostFeeAndAMicroDollarForEachPossibleFill) {
  // 0.52 + 0.017472 + 100 × 0.000001 = 0.537572, rounded up.
  EXPECT_EQ(Kalshi()
                .Requirement(Side::kBid, Hundredths(100), Cents(52), FeeRole::kTaker, Money())
                .ToString(),
            "0.537600");
  // Without fees nothing is rounded.
  EXPECT_EQ(Kalshi({})
                .Requirement(Side::kBid, Hundredths(100), Cents(52), FeeRole::kWorst, Money())
                .ToString(),
            "0.520000");
  EXPECT_EQ(Kalshi().Requirement(Side::kBid, Quantity(), Cents(52), FeeRole::kMaker,
                                 Money::FromMicros(99)),
            Money());
}

TEST(ContractMoney, SettlementPaysBothSidesADollarTogether) {
  const Price value = Cents(37);
  EXPECT_EQ(Kalshi().Settlement(100, value).ToString(), "0.370000");
  EXPECT_EQ(Kalshi().Settlement(-100, value).ToString(), "0.630000");
  EXPECT_EQ(Kalshi().Settlement(100, Cents(100)).ToString(), "1.000000");
  EXPECT_EQ(Kalshi().Settlement(-100, Cents(100)), Money());
  EXPECT_TRUE(Kalshi().IsSettlementValue(Cents(0)));
  EXPECT_TRUE(Kalshi().IsSettlementValue(Cents(100)));
  EXPECT_FALSE(Kalshi().IsSettlementValue(Price::FromUnits(10'001)));
  EXPECT_FALSE(Kalshi().IsSettlementValue(Price::FromUnits(-1)));
}

TEST(ContractMoney, RoundingIsTowardsMinusInfinity) {
  EXPECT_EQ(RoundDownToBalanceStep(Money::FromMicros(199)).micros(), 100);
  EXPECT_EQ(RoundDownToBalanceStep(Money::FromMicros(0)).micros(), 0);
  EXPECT_EQ(RoundDownToBalanceStep(Money::FromMicros(-1)).micros(), -100);
  EXPECT_EQ(RoundDownToBalanceStep(Money::FromMicros(-100)).micros(), -100);
  // As far as amounts go, and around every kind of step on the way.
  const Money one = Money::FromMicros(1);
  const Money step = Money::FromMicros(kBalanceStepMicros);
  EXPECT_EQ(RoundDownToBalanceStep(kMoneyMax), kMoneyMax);
  EXPECT_EQ(RoundDownToBalanceStep(kMoneyMax - one), kMoneyMax - step);
  EXPECT_EQ(RoundDownToBalanceStep(-kMoneyMax), -kMoneyMax);
  EXPECT_EQ(RoundDownToBalanceStep(one - kMoneyMax), -kMoneyMax);
  Prng prng(3);
  for (int round = 0; round < 10'000; ++round) {
    const int64_t most = kMoneyMax.micros() >> prng.Below(56);
    const int64_t micros = prng.Between(-most, most);
    const int64_t below = ((micros % kBalanceStepMicros) + kBalanceStepMicros) % kBalanceStepMicros;
    ASSERT_EQ(RoundDownToBalanceStep(Money::FromMicros(micros)).micros(), micros - below);
  }
}

TEST(ContractMoney, TheLargestOrderFits) {
  ContractMoney whole(Market(6, 0));
  whole.SetFees({.taker_coefficient = 9'999, .multiplier = 100});
  EXPECT_EQ(whole.Cost(Side::kBid, kQuantityMax, Price::FromUnits(999'999)).ToString(),
            "9999990000.000000");
  EXPECT_EQ(whole.Fee(kQuantityMax, Price::FromUnits(500'000), FeeRole::kTaker).ToString(),
            "2499750000.000000");
}

// Any market, fees, order: rounded up by less than a step, and never above the bound.
TEST(ContractMoney, RequirementsAreWholeStepsAndWithinTheirBound) {
  Prng prng(2);
  for (int round = 0; round < 20'000; ++round) {
    const auto decimals = static_cast<int>(1 + prng.Below(6));
    ContractMoney money(
        Market(decimals, static_cast<int>(prng.Below(static_cast<uint64_t>(7 - decimals)))));
    int64_t dollar = 1;
    for (int i = 0; i < decimals; ++i) dollar *= 10;
    money.SetFees(
        {.taker_coefficient = prng.Chance(20) ? 9'999 : static_cast<uint32_t>(prng.Below(9'999)),
         .maker_coefficient = static_cast<uint32_t>(prng.Below(9'999))});
    const Side side = prng.Chance(50) ? Side::kBid : Side::kAsk;
    const Price price =
        Price::FromUnits(prng.Chance(20) ? dollar / 2 : prng.Between(1, dollar - 1));
    const Quantity quantity =
        prng.Chance(20) ? kQuantityMax
                        : Quantity::FromUnits(1 + prng.Below(prng.Chance(50) ? 100 : 10'000'000));
    const Money required = money.Requirement(side, quantity, price, FeeRole::kWorst, Money());
    const Money fee = money.Fee(quantity, price, FeeRole::kWorst);
    Money worst = money.Cost(side, quantity, price) + fee;
    if (fee != Money()) worst += Money::FromMicros(static_cast<int64_t>(quantity.units()));
    ASSERT_EQ(required.micros() % kBalanceStepMicros, 0);
    ASSERT_GE(required, worst);
    ASSERT_LT(required.micros(), worst.micros() + kBalanceStepMicros);
    ASSERT_LE(required, money.RequirementBound(quantity));
  }
}

// However an order is filled, at its limit or better, what it required was enough: after each fill
// what is left suffices for what remains.
TEST(ContractMoney, WhatIsRequiredSufficesForAnyFills) {
  Prng prng(1);
  for (int round = 0; round < 20'000; ++round) {
    const auto decimals = static_cast<int>(prng.Below(5));
    ContractMoney money(
        Market(decimals, static_cast<int>(prng.Below(static_cast<uint64_t>(7 - decimals)))));
    int64_t dollar = 1;
    for (int i = 0; i < decimals; ++i) dollar *= 10;
    if (dollar == 1) continue;
    money.SetFees({.taker_coefficient = static_cast<uint32_t>(prng.Below(9'999)),
                   .maker_coefficient = static_cast<uint32_t>(prng.Below(9'999))});
    const Side side = prng.Chance(50) ? Side::kBid : Side::kAsk;
    const int64_t limit = prng.Between(1, dollar - 1);
    uint64_t remaining = 1 + prng.Below(1000);
    Money purse = money.Requirement(side, Quantity::FromUnits(remaining), Price::FromUnits(limit),
                                    FeeRole::kWorst, Money());
    Money credit;
    while (remaining > 0) {
      const uint64_t traded = 1 + prng.Below(remaining);
      const bool takes = prng.Chance(50);
      const int64_t price = !takes               ? limit
                            : side == Side::kBid ? prng.Between(1, limit)
                                                 : prng.Between(limit, dollar - 1);
      const FillMoney fill =
          money.Fill(side, Quantity::FromUnits(traded), Price::FromUnits(price), Quantity(),
                     takes ? FeeRole::kTaker : FeeRole::kMaker, credit);
      purse += fill.change;
      credit = fill.credit;
      remaining -= traded;
      ASSERT_GE(purse, money.Requirement(side, Quantity::FromUnits(remaining),
                                         Price::FromUnits(limit), FeeRole::kWorst, credit))
          << "round " << round;
    }
  }
}

}  // namespace
}  // namespace engine
