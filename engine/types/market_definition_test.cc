#include "engine/types/market_definition.h"

#include <functional>

#include "gtest/gtest.h"

namespace engine {
namespace {

MarketDefinition Sound() { return {.id = MarketId(1), .symbol = "AAPL", .price_decimals = 4}; }

TEST(MarketDefinition, DefaultsAreValidOnceNamed) { EXPECT_TRUE(Validate(Sound()).ok()); }

TEST(MarketDefinition, EachInvalidFieldIsRefused) {
  const std::function<void(MarketDefinition&)> faults[] = {
      [](auto& d) { d.id = MarketId(); },
      [](auto& d) { d.symbol = ""; },
      [](auto& d) { d.symbol = "BRK A"; },
      [](auto& d) { d.symbol = "#1"; },
      [](auto& d) { d.symbol = std::string(kSymbolBytesMax + 1, 'X'); },
      [](auto& d) { d.symbol = "\xc3\xa9"; },
      [](auto& d) { d.price_decimals = -1; },
      [](auto& d) { d.price_decimals = 10; },
      [](auto& d) { d.quantity_decimals = 10; },
      [](auto& d) { d.tick = Price(); },
      [](auto& d) { d.tick = Price::FromUnits(-1); },
      [](auto& d) { d.price_min = Price::FromUnits(2), d.price_max = Price::FromUnits(1); },
      [](auto& d) { d.price_min = Price::FromUnits(-kPriceUnitsMax - 1); },
      [](auto& d) { d.price_max = Price::FromUnits(kPriceUnitsMax + 1); },
      [](auto& d) { d.lot = Quantity(); },
      [](auto& d) { d.quantity_max = kQuantityMax + Quantity::FromUnits(1); },
      [](auto& d) {
        d.quantity_min = Quantity::FromUnits(2), d.quantity_max = Quantity::FromUnits(1);
      },
      [](auto& d) { d.kind = static_cast<MarketKind>(2); },
      [](auto& d) {
        d.bands = {{Price::FromUnits(2), Price::FromUnits(1)}};
      },
      [](auto& d) {
        d.bands = {{Price::FromUnits(1), Price()}};
      },
      [](auto& d) {
        d.bands = {{Price::FromUnits(1), Price::FromUnits(1)},
                   {Price::FromUnits(1), Price::FromUnits(1)}};
      },
      [](auto& d) { d.bands.resize(kTickBandsMax + 1); },
      [](auto& d) { d.kind = MarketKind::kBinary; },
      [](auto& d) { d.lot = kQuantityMax + Quantity::FromUnits(1); },
      // No order can pass: no price, or no quantity, is allowed.
      [](auto& d) { d.tick = Price::FromUnits(1000), d.price_max = Price::FromUnits(999); },
      [](auto& d) {
        d.tick = Price::FromUnits(7);
        d.price_min = Price::FromUnits(-6), d.price_max = Price::FromUnits(-1);
      },
      [](auto& d) {
        d.price_min = Price::FromUnits(11), d.price_max = Price::FromUnits(29);
        d.bands = {{Price::FromUnits(1), Price::FromUnits(20)},
                   {Price::FromUnits(20), Price::FromUnits(15)}};
      },
      [](auto& d) { d.lot = Quantity::FromUnits(10), d.quantity_max = Quantity::FromUnits(9); },
      [](auto& d) {
        d.lot = Quantity::FromUnits(10);
        d.quantity_min = Quantity::FromUnits(11), d.quantity_max = Quantity::FromUnits(19);
      },
      [](auto& d) { d.lot = Quantity::FromUnits(3), d.quantity_min = kQuantityMax; },
  };
  for (size_t i = 0; i < std::size(faults); ++i) {
    MarketDefinition definition = Sound();
    faults[i](definition);
    EXPECT_EQ(Validate(definition).code(), absl::StatusCode::kInvalidArgument) << "fault " << i;
  }
}

// One price and one quantity are enough.
TEST(MarketDefinition, ADefinitionThatLetsOneOrderPassIsValid) {
  MarketDefinition definition = Sound();
  definition.tick = Price::FromUnits(1000);
  definition.price_max = Price::FromUnits(1000);
  definition.lot = definition.quantity_min = definition.quantity_max = Quantity::FromUnits(10);
  EXPECT_TRUE(Validate(definition).ok()) << Validate(definition);
  definition.price_min = Price::FromUnits(-7);
  definition.price_max = Price::FromUnits(-1);
  definition.tick = Price::FromUnits(7);
  EXPECT_TRUE(Validate(definition).ok()) << Validate(definition);
  definition.bands = {{Price::FromUnits(-100), Price::FromUnits(50)},
                      {Price::FromUnits(-3), Price::FromUnits(2)},
                      {Price::FromUnits(-1), Price::FromUnits(5)}};
  EXPECT_TRUE(Validate(definition).ok()) << Validate(definition);
}

MarketDefinition Tapered() {
  MarketDefinition definition = Sound();
  definition.kind = MarketKind::kBinary;
  definition.quantity_decimals = 2;
  definition.price_min = Price::FromUnits(10);
  definition.price_max = Price::FromUnits(9'990);
  definition.bands = {{Price::FromUnits(10), Price::FromUnits(10)},
                      {Price::FromUnits(1'000), Price::FromUnits(100)},
                      {Price::FromUnits(9'001), Price::FromUnits(10)}};
  return definition;
}

TEST(MarketDefinition, ABinaryMarketIsWithinOneDollarAndExact) {
  EXPECT_TRUE(Validate(Tapered()).ok()) << Validate(Tapered());
  MarketDefinition at_a_dollar = Tapered();
  at_a_dollar.price_max = Price::FromUnits(10'000);
  EXPECT_FALSE(Validate(at_a_dollar).ok());
  MarketDefinition at_zero = Tapered();
  at_zero.price_min = Price();
  EXPECT_FALSE(Validate(at_zero).ok());
  MarketDefinition too_fine = Tapered();
  too_fine.quantity_decimals = 3;
  EXPECT_FALSE(Validate(too_fine).ok());
}

TEST(MarketDefinition, TheTickIsThatOfTheBand) {
  const MarketDefinition tapered = Tapered();
  EXPECT_EQ(tapered.TickAt(Price::FromUnits(10)), Price::FromUnits(10));
  EXPECT_EQ(tapered.TickAt(Price::FromUnits(990)), Price::FromUnits(10));
  EXPECT_EQ(tapered.TickAt(Price::FromUnits(1'000)), Price::FromUnits(100));
  EXPECT_EQ(tapered.TickAt(Price::FromUnits(9'000)), Price::FromUnits(100));
  EXPECT_EQ(tapered.TickAt(Price::FromUnits(9'010)), Price::FromUnits(10));
  EXPECT_EQ(Sound().TickAt(Price::FromUnits(5)), Price::FromUnits(1));
}

}  // namespace
}  // namespace engine
