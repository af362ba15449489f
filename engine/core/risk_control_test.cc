// Each limit at its boundary.

#include "engine/core/risk_control.h"

#include <cstdint>
#include <limits>
#include <string>

#include "engine/base/timestamp.h"
#include "engine/messages/names.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/risk_limits.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

using Rests = RiskControl::Wish::Rests;

constexpr AccountId kAnn(1);

class RiskControlTest : public testing::Test {
 protected:
  RiskControlTest() { market_.price_decimals = 2; }

  std::string Ask(uint64_t quantity, int64_t cents, Rests rests = Rests::kYes,
                  AccountId account = kAnn) {
    return NameOf(risk_.Check({.account = account,
                               .market = market_,
                               .quantity = Quantity::FromUnits(quantity),
                               .price = Price::FromUnits(cents),
                               .now = now_,
                               .rests = rests}));
  }

  MarketDefinition market_;
  Timestamp now_ = Timestamp::FromNanos(5'500'000'000);
  RiskLimits limits_;
  RiskControl risk_;
};

TEST_F(RiskControlTest, WithoutLimitsAnythingGoes) {
  EXPECT_EQ(Ask(kQuantityMax.units(), kPriceUnitsMax), "none");
  limits_.open_orders_max = 1;
  risk_.SetLimits(AccountId(2), limits_, 5);
  EXPECT_EQ(Ask(kQuantityMax.units(), kPriceUnitsMax), "none");
}

TEST_F(RiskControlTest, QuantityOfOneOrder) {
  limits_.order_quantity_max = Quantity::FromUnits(10);
  risk_.SetLimits(kAnn, limits_, 0);
  EXPECT_EQ(Ask(10, 1), "none");
  EXPECT_EQ(Ask(11, 1), "risk_order_quantity");
}

TEST_F(RiskControlTest, NotionalOfOneOrder) {
  limits_.order_notional_max = Money::FromDollars(10);
  risk_.SetLimits(kAnn, limits_, 0);
  EXPECT_EQ(Ask(10, 100), "none");
  EXPECT_EQ(Ask(10, 101), "risk_order_notional");
  EXPECT_EQ(Ask(kQuantityMax.units(), kPriceUnitsMax), "risk_order_notional");
  EXPECT_EQ(Ask(kQuantityMax.units(), -kPriceUnitsMax), "none");
}

TEST_F(RiskControlTest, DecimalsBeyondTheMicroDollarAreDividedAway) {
  market_.price_decimals = 9;
  market_.quantity_decimals = 2;
  limits_.order_notional_max = Money::FromMicros(1);
  risk_.SetLimits(kAnn, limits_, 0);
  EXPECT_EQ(Ask(1, 199'999), "none");
  EXPECT_EQ(Ask(1, 200'000), "risk_order_notional");
}

TEST_F(RiskControlTest, OrdersThatRestAtTheSameTime) {
  limits_.open_orders_max = 2;
  risk_.SetLimits(kAnn, limits_, 1);
  EXPECT_EQ(Ask(1, 1), "none");
  risk_.CountResting(kAnn, 1);
  EXPECT_EQ(Ask(1, 1), "risk_open_orders");
  EXPECT_EQ(Ask(1, 1, Rests::kNo), "none");
  EXPECT_EQ(Ask(1, 1, Rests::kAlready), "none");
  EXPECT_EQ(Ask(1, 1, Rests::kInsteadOfAnother), "none");
  risk_.CountResting(kAnn, -1);
  EXPECT_EQ(Ask(1, 1), "none");
}

TEST_F(RiskControlTest, ALowerLimitThanOrdersRestRefusesReplacesToo) {
  limits_.open_orders_max = 1;
  risk_.SetLimits(kAnn, limits_, 2);
  EXPECT_EQ(Ask(1, 1, Rests::kInsteadOfAnother), "risk_open_orders");
  EXPECT_EQ(Ask(1, 1, Rests::kAlready), "none");
}

TEST_F(RiskControlTest, CommandsWithinASecondOfLogTime) {
  limits_.orders_per_second_max = 2;
  risk_.SetLimits(kAnn, limits_, 0);
  risk_.Count(kAnn, now_);
  EXPECT_EQ(Ask(1, 1), "none");
  risk_.Count(kAnn, now_);
  EXPECT_EQ(Ask(1, 1), "risk_order_rate");
  now_ = Timestamp::FromNanos(5'999'999'999);
  EXPECT_EQ(Ask(1, 1), "risk_order_rate");
  now_ = Timestamp::FromNanos(6'000'000'000);
  EXPECT_EQ(Ask(1, 1), "none");
}

TEST_F(RiskControlTest, NewLimitsBeginToCountAnew) {
  limits_.orders_per_second_max = 1;
  risk_.SetLimits(kAnn, limits_, 0);
  risk_.Count(kAnn, now_);
  EXPECT_EQ(Ask(1, 1), "risk_order_rate");
  limits_.orders_per_second_max = 1;
  risk_.SetLimits(kAnn, limits_, 0);
  EXPECT_EQ(Ask(1, 1), "none");
}

TEST_F(RiskControlTest, ReasonsAreTriedInTheirOrder) {
  limits_.open_orders_max = 1;
  limits_.order_quantity_max = Quantity::FromUnits(1);
  limits_.order_notional_max = Money::FromMicros(1);
  limits_.orders_per_second_max = 1;
  risk_.SetLimits(kAnn, limits_, 1);
  risk_.Count(kAnn, now_);
  EXPECT_EQ(Ask(2, 1), "risk_order_quantity");
  EXPECT_EQ(Ask(1, 1), "risk_order_notional");
  EXPECT_EQ(Ask(1, 0), "risk_open_orders");
  EXPECT_EQ(Ask(1, 0, Rests::kNo), "risk_order_rate");
}

TEST_F(RiskControlTest, NoLimitsIsForgetting) {
  limits_.open_orders_max = 1;
  risk_.SetLimits(kAnn, limits_, 1);
  EXPECT_EQ(risk_.accounts().size(), 1u);
  risk_.SetLimits(kAnn, {}, 1);
  EXPECT_TRUE(risk_.accounts().empty());
  EXPECT_FALSE(risk_.has_limits());
  risk_.CountResting(kAnn, -1);  // Nothing is counted.
  risk_.SetLimits(kAnn, limits_, 0);
  EXPECT_TRUE(risk_.has_limits());
  EXPECT_EQ(Ask(1, 1), "none");
}

TEST_F(RiskControlTest, TheFirstAndTheLastSecondOfTimeCountToo) {
  limits_.orders_per_second_max = 1;
  for (const int64_t nanos :
       {std::numeric_limits<int64_t>::min(), int64_t{-1}, std::numeric_limits<int64_t>::max()}) {
    risk_.SetLimits(kAnn, limits_, 0);
    now_ = Timestamp::FromNanos(nanos);
    EXPECT_EQ(Ask(1, 1), "none");
    risk_.Count(kAnn, now_);
    EXPECT_EQ(Ask(1, 1), "risk_order_rate");
    EXPECT_EQ(risk_.Find(kAnn)->second, SecondOf(now_));
  }
}

TEST_F(RiskControlTest, OthersAreNotConcerned) {
  limits_.open_orders_max = 1;
  risk_.SetLimits(kAnn, limits_, 1);
  for (const uint32_t other : {0u, 2u, 1u << 30}) {
    EXPECT_EQ(Ask(1, 1, Rests::kYes, AccountId(other)), "none");
    EXPECT_FALSE(risk_.Find(AccountId(other)).has_value());
  }
}

TEST(SecondOf, IsRoundedDown) {
  EXPECT_EQ(SecondOf(Timestamp::FromNanos(999'999'999)), 0);
  EXPECT_EQ(SecondOf(Timestamp::FromNanos(1'000'000'000)), 1);
  EXPECT_EQ(SecondOf(Timestamp::FromNanos(-1)), -1);
  EXPECT_EQ(SecondOf(Timestamp::FromNanos(-1'000'000'000)), -1);
  EXPECT_EQ(SecondOf(Timestamp::FromNanos(std::numeric_limits<int64_t>::min())), -9'223'372'037);
}

}  // namespace
}  // namespace engine
