#include "engine/gateway/ouch/units.h"

#include <cstdint>

#include "engine/types/ids.h"
#include "engine/wire/ouch/messages.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

MarketDefinition Market(int price_decimals, int quantity_decimals, uint64_t lot) {
  return {.id = MarketId(1),
          .symbol = "ACME",
          .price_decimals = price_decimals,
          .quantity_decimals = quantity_decimals,
          .price_max = Price::FromUnits(100'000),
          .lot = Quantity::FromUnits(lot)};
}

TEST(OuchUnits, PricesAndSharesAreThoseOfTheMarket) {
  const MarketDefinition cents = Market(2, 0, 1);
  EXPECT_EQ(FromOuchPrice(100'100, cents), Price::FromUnits(1'001));
  EXPECT_FALSE(FromOuchPrice(100'101, cents).has_value());
  EXPECT_EQ(ToOuchPrice(Price::FromUnits(1'001), cents), 100'100u);
  EXPECT_EQ(FromOuchShares(7, cents), Quantity::FromUnits(7));
  const MarketDefinition fine = Market(4, 2, 100);
  EXPECT_EQ(FromOuchPrice(100'101, fine), Price::FromUnits(100'101));
  EXPECT_EQ(FromOuchShares(7, fine), Quantity::FromUnits(700));
  EXPECT_EQ(ToOuchShares(Quantity::FromUnits(700), fine), 7u);
  EXPECT_EQ(FromOuchShares(UINT32_MAX, fine), Quantity::FromUnits(uint64_t{UINT32_MAX} * 100));
}

TEST(OuchUnits, ValuesOutsideAreTheNearest) {
  const MarketDefinition cents = Market(2, 0, 1);
  EXPECT_EQ(ToOuchPrice(Price::FromUnits(-1), cents), 0u);
  EXPECT_EQ(ToOuchPrice(Price::FromUnits(kPriceUnitsMax), cents), ouch::kMarketPrice);
  EXPECT_EQ(ToOuchShares(kQuantityMax, cents), UINT32_MAX);
}

TEST(OuchUnits, OnlyMarketsThatOuchCanSpeakOfAreTaken) {
  EXPECT_TRUE(CheckOuchMarket(Market(0, 0, 1)).ok());
  EXPECT_TRUE(CheckOuchMarket(Market(4, 2, 100)).ok());
  EXPECT_FALSE(CheckOuchMarket(Market(5, 0, 1)).ok());
  EXPECT_FALSE(CheckOuchMarket(Market(4, 2, 10)).ok());
  MarketDefinition market = Market(4, 0, 1);
  market.symbol = "NINECHARS";
  EXPECT_FALSE(CheckOuchMarket(market).ok());
  market.symbol = "EIGHTCHR";
  EXPECT_TRUE(CheckOuchMarket(market).ok());
  market.price_max = Price::FromUnits(ouch::kMarketPrice - 1);
  EXPECT_TRUE(CheckOuchMarket(market).ok());
  market.price_max = Price::FromUnits(ouch::kMarketPrice);
  EXPECT_FALSE(CheckOuchMarket(market).ok());
  market = Market(4, 0, 1);
  market.price_min = Price::FromUnits(-1);
  EXPECT_FALSE(CheckOuchMarket(market).ok());
  market = Market(4, 0, 1);
  market.mirrored = true;
  EXPECT_FALSE(CheckOuchMarket(market).ok());
}

}  // namespace
}  // namespace engine
