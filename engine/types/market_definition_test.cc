#include "engine/types/market_definition.h"

#include <functional>

#include "gtest/gtest.h"

namespace engine {
namespace {

MarketDefinition Sound() { return {.id = MarketId(1), .symbol = "AAPL", .price_decimals = 4}; }

TEST(MarketDefinition, DefaultsAreSoundOnceNamed) { EXPECT_TRUE(Validate(Sound()).ok()); }

TEST(MarketDefinition, EachUnsoundFieldIsRefused) {
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
      [](auto& d) { d.lot = kQuantityMax + Quantity::FromUnits(1); },
  };
  for (size_t i = 0; i < std::size(faults); ++i) {
    MarketDefinition definition = Sound();
    faults[i](definition);
    EXPECT_EQ(Validate(definition).code(), absl::StatusCode::kInvalidArgument) << "fault " << i;
  }
}

}  // namespace
}  // namespace engine
