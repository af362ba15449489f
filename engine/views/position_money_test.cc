#include "engine/views/position_money.h"

#include <cstdint>

#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/views/portfolio_rows.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

ContractUnits Units(MarketKind kind) {
  MarketDefinition market;
  market.kind = kind;
  market.price_decimals = 4;
  market.quantity_decimals = 2;
  return ContractUnits::Of(market);
}

Money Micros(int64_t micros) { return Money::FromMicros(micros); }

// Prices in 10^-4 dollar, quantities in 0.01 contract.
void Buy(uint64_t quantity, int64_t price, PortfolioPosition& position, Money fee = {}) {
  ApplyFill(Units(MarketKind::kBinary), Side::kBid, Quantity::FromUnits(quantity),
            Price::FromUnits(price), fee, position);
}
void Sell(uint64_t quantity, int64_t price, PortfolioPosition& position, Money fee = {}) {
  ApplyFill(Units(MarketKind::kBinary), Side::kAsk, Quantity::FromUnits(quantity),
            Price::FromUnits(price), fee, position);
}

TEST(PositionMoney, ASidePaysThePriceOrTheRestOfTheDollar) {
  const ContractUnits units = Units(MarketKind::kBinary);
  const Quantity quantity = Quantity::FromUnits(116);
  EXPECT_EQ(units.Cost(Side::kBid, quantity, Price::FromUnits(1'600)), Micros(185'600));
  EXPECT_EQ(units.Cost(Side::kAsk, quantity, Price::FromUnits(1'600)), Micros(974'400));
  EXPECT_EQ(units.Pair(quantity), Micros(1'160'000));
}

TEST(PositionMoney, NothingCostsAnythingInAnEquityMarket) {
  const ContractUnits units = Units(MarketKind::kEquity);
  const Price price = Price::FromUnits(kPriceUnitsMax);  // × the quantity does not fit 64 bits.
  EXPECT_EQ(units.Cost(Side::kBid, kQuantityMax, price), Money());
  EXPECT_EQ(units.Cost(Side::kAsk, kQuantityMax, price), Money());
}

TEST(PositionMoney, AClosedPairRealisesADollarLessBothLegs) {
  PortfolioPosition position;
  Buy(500, 5'000, position);
  EXPECT_EQ(position.cost_basis, Micros(2'500'000));
  Sell(500, 5'100, position);
  EXPECT_EQ(position.position, 0);
  EXPECT_EQ(position.cost_basis, Money());
  EXPECT_EQ(position.realised_pnl, Micros(50'000));
  EXPECT_EQ(position.traded, Micros(4'950'000));
  EXPECT_EQ(position.volume, Quantity::FromUnits(1'000));
}

TEST(PositionMoney, WhatIsBeyondThePositionOpensTheOtherSide) {
  PortfolioPosition position;
  Buy(500, 5'000, position);
  Sell(800, 5'100, position);
  EXPECT_EQ(position.position, -300);
  EXPECT_EQ(position.cost_basis, Micros(1'470'000));
  EXPECT_EQ(position.realised_pnl, Micros(50'000));
}

TEST(PositionMoney, APartOfThePositionLeavesAtItsAverageCost) {
  PortfolioPosition position;
  Buy(100, 1'000, position);
  Buy(200, 2'000, position);
  Sell(100, 3'000, position);  // A third of 0.50, rounded down.
  EXPECT_EQ(position.cost_basis, Micros(500'000 - 166'666));
  EXPECT_EQ(position.realised_pnl, Micros(300'000 - 166'666));
  Sell(200, 3'000, position);  // Rounding leaves nothing.
  EXPECT_EQ(position.cost_basis, Money());
  EXPECT_EQ(position.realised_pnl, Micros(400'000));
}

TEST(PositionMoney, FeesLeaveWithTheContractsThatTheyWerePaidFor) {
  PortfolioPosition position;
  Buy(300, 5'000, position, Micros(52'500));
  EXPECT_EQ(position.open_fees, Micros(52'500));
  Sell(100, 5'100, position, Micros(17'500));  // A third; what closes a position has no part in it.
  EXPECT_EQ(position.open_fees, Micros(35'000));
  Sell(300, 5'100, position, Micros(30'000));  // Two thirds close, one opens the other side.
  EXPECT_EQ(position.position, -100);
  EXPECT_EQ(position.open_fees, Micros(10'000));
  EXPECT_EQ(position.fees, Micros(100'000));
  ApplySettlement(Micros(1'000'000), position);
  EXPECT_EQ(position.open_fees, Money());
  EXPECT_EQ(position.fees, Micros(100'000));
}

TEST(PositionMoney, ASettlementRealisesWhatItPaysLessTheCost) {
  PortfolioPosition position;
  Sell(100, 7'000, position);
  ApplySettlement(Micros(1'000'000), position);
  EXPECT_EQ(position.realised_pnl, Micros(700'000));
  EXPECT_EQ(position.cost_basis, Money());
  EXPECT_EQ(position.position, 0);
}

TEST(PositionMoney, ASumStopsAtTheLargestAmount) {
  EXPECT_EQ(AddUpTo(Micros(INT64_MAX - 1), Micros(5)), Micros(INT64_MAX));
  EXPECT_EQ(AddUpTo(Micros(7), Micros(-9)), Micros(-2));
}

}  // namespace
}  // namespace engine
