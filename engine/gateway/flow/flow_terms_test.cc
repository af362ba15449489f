#include "engine/gateway/flow/flow_terms.h"

#include <cstdint>
#include <limits>

#include "engine/messages/kinds.h"
#include "engine/types/order_type.h"
#include "engine/types/side.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

// Prices in 0.0001, whole quantities, as an ITCH file has them.
MarketDefinition Source() {
  return {.id = MarketId(9),
          .symbol = "AAPL",
          .price_decimals = 4,
          .price_max = Price::FromUnits(UINT32_MAX)};
}

// Prices in cents, quantities in hundredths.
MarketDefinition Cents() {
  return {.id = MarketId(3),
          .symbol = "ACME",
          .price_decimals = 2,
          .quantity_decimals = 2,
          .tick = Price::FromUnits(5),
          .price_min = Price::FromUnits(100),
          .price_max = Price::FromUnits(100'000),
          .lot = Quantity::FromUnits(50),
          .quantity_min = Quantity::FromUnits(100),
          .quantity_max = Quantity::FromUnits(10'000)};
}

MarketDefinition Binary() {
  return {.id = MarketId(4),
          .symbol = "RAIN",
          .price_decimals = 4,
          .quantity_decimals = 2,
          .tick = Price::FromUnits(100),
          .price_min = Price::FromUnits(100),
          .price_max = Price::FromUnits(9'900),
          .kind = MarketKind::kBinary};
}

Command Order(int64_t price, uint64_t quantity) {
  Command command;
  command.kind = CommandKind::kNewOrder;
  command.market = MarketId(9);
  command.side = Side::kBid;
  command.type = OrderType::kLimit;
  command.price = Price::FromUnits(price);
  command.quantity = Quantity::FromUnits(quantity);
  return command;
}

TEST(FlowTerms, EqualGridsChangeNothingButTheMarket) {
  MarketDefinition same = Source();
  same.id = MarketId(3);
  Command expected = Order(201'234, 100);
  expected.market = MarketId(3);
  EXPECT_EQ(FlowTerms(Source(), same, std::nullopt).Map(Order(201'234, 100)), expected);
}

TEST(FlowTerms, ValuesStayInOtherUnits) {
  const FlowTerms terms(Source(), Cents(), std::nullopt);
  const auto mapped = terms.Map(Order(/*20.15*/ 201'500, 3));
  ASSERT_TRUE(mapped.has_value());
  EXPECT_EQ(mapped->price, Price::FromUnits(2'015));
  EXPECT_EQ(mapped->quantity, Quantity::FromUnits(300));
}

TEST(FlowTerms, WhatIsNotOfTheGridDoesNotFit) {
  const FlowTerms terms(Source(), Cents(), std::nullopt);
  EXPECT_FALSE(terms.Map(Order(201'501, 3)).has_value());     // Between two units.
  EXPECT_FALSE(terms.Map(Order(201'600, 3)).has_value());     // Between two ticks.
  EXPECT_FALSE(terms.Map(Order(9'500, 3)).has_value());       // Below the lowest,
  EXPECT_FALSE(terms.Map(Order(10'000'500, 3)).has_value());  // above the highest price.
  EXPECT_FALSE(terms.Map(Order(201'500, 0)).has_value());     // Below the least,
  EXPECT_FALSE(terms.Map(Order(201'500, 101)).has_value());   // above the largest quantity.
  EXPECT_TRUE(terms.Map(Order(201'500, 100)).has_value());
}

TEST(FlowTerms, ALineIsRoundedDownToTheTick) {
  // 20 dollars are 0.40, and each dollar more 0.02.
  const FlowTerms terms(Source(), Binary(),
                        PriceLine{.factor = PriceLine::kOne / 50, .offset = Price::FromUnits(0)});
  EXPECT_EQ(terms.Map(Order(200'000, 1))->price, Price::FromUnits(4'000));
  EXPECT_EQ(terms.Map(Order(204'999, 1))->price, Price::FromUnits(4'000));
  EXPECT_EQ(terms.Map(Order(205'000, 1))->price, Price::FromUnits(4'100));
  EXPECT_FALSE(terms.Map(Order(4'999, 1)).has_value());
  EXPECT_FALSE(terms.Map(Order(1'999'999'900, 1)).has_value());
}

TEST(FlowTerms, ALineKeepsTheOrderOfPrices) {
  MarketDefinition bands = Binary();
  bands.bands = {{.from = Price::FromUnits(1), .tick = Price::FromUnits(10)},
                 {.from = Price::FromUnits(1'000), .tick = Price::FromUnits(100)},
                 {.from = Price::FromUnits(9'000), .tick = Price::FromUnits(10)}};
  const FlowTerms terms(
      Source(), bands,
      PriceLine{.factor = PriceLine::kOne * 3 / 7, .offset = Price::FromUnits(-777)});
  Price before = bands.price_min;
  int mapped_count = 0;
  for (int64_t price = 1; price < 30'000; ++price) {
    const auto mapped = terms.Map(Order(price, 1));
    if (!mapped.has_value()) continue;
    ++mapped_count;
    ASSERT_GE(mapped->price, before) << price;
    ASSERT_EQ(mapped->price.units() % bands.TickAt(mapped->price).units(), 0) << price;
    before = mapped->price;
  }
  EXPECT_GT(mapped_count, 20'000);
}

TEST(FlowTerms, ReadsOnlyWhatTheKindReads) {
  const FlowTerms terms(Source(), Cents(), std::nullopt);
  Command market_order = Order(0, 3);
  market_order.type = OrderType::kMarket;
  EXPECT_EQ(terms.Map(market_order)->price, Price());
  Command cancel = Order(1, 77);
  cancel.kind = CommandKind::kCancel;
  EXPECT_TRUE(terms.Map(cancel).has_value());
  Command reduce = Order(1, 3);
  reduce.kind = CommandKind::kReduce;
  EXPECT_EQ(terms.Map(reduce)->quantity, Quantity::FromUnits(300));
  Command expiry = Order(123'456'789, 0);
  expiry.kind = CommandKind::kSetExpiry;
  EXPECT_EQ(terms.Map(expiry)->new_expiry(), expiry.new_expiry());
}

TEST(FlowTerms, AnyNumbersAreSafe) {
  for (const std::optional<PriceLine>& line :
       {std::optional<PriceLine>(), std::optional<PriceLine>({.factor = PriceLine::kFactorMax,
                                    .offset = Price::FromUnits(kPriceUnitsMax)})}) {
    MarketDefinition fine = Cents();
    fine.price_decimals = fine.quantity_decimals = 9;
    const FlowTerms terms(Source(), fine, line);
    for (const int64_t price : {std::numeric_limits<int64_t>::min(), int64_t{-1}, int64_t{0},
                                kPriceUnitsMax, std::numeric_limits<int64_t>::max()}) {
      for (const uint64_t quantity : {uint64_t{0}, kQuantityMax.units(), UINT64_MAX}) {
        EXPECT_FALSE(terms.Map(Order(price, quantity)).has_value());
      }
    }
  }
}

}  // namespace
}  // namespace engine
