#include "engine/messages/market_directory.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

MarketDefinition Market(uint32_t id, std::string symbol) {
  return {.id = MarketId(id), .symbol = std::move(symbol)};
}

TEST(MarketDirectory, FindsMarketsByIdAndBySymbol) {
  MarketDirectory markets;
  for (const uint32_t id : {7u, 1u, 500u, (1u << 21) - 1, 1u << 21, ~0u}) {
    EXPECT_EQ(markets.Find(MarketId(id)), nullptr) << id;
    ASSERT_TRUE(markets.Add(Market(id, absl::StrCat("M", id))));
    const MarketDefinition* const found = markets.Find(MarketId(id));
    ASSERT_NE(found, nullptr) << id;
    EXPECT_EQ(*found, Market(id, absl::StrCat("M", id)));
    EXPECT_EQ(markets.FindSymbol(found->symbol), found);
  }
  EXPECT_EQ(markets.Find(MarketId(0)), nullptr);
  EXPECT_EQ(markets.Find(MarketId(2)), nullptr);
  EXPECT_EQ(markets.FindSymbol("M2"), nullptr);
  EXPECT_EQ(markets.all().size(), 6u);
  EXPECT_EQ(markets.all().begin()->first, MarketId(1));
}

TEST(MarketDirectory, RefusesAnIdAndASymbolThatAreTaken) {
  MarketDirectory markets;
  ASSERT_TRUE(markets.Add(Market(1, "A")));
  EXPECT_FALSE(markets.Add(Market(1, "B")));
  EXPECT_FALSE(markets.Add(Market(2, "A")));
  EXPECT_EQ(markets.FindSymbol("B"), nullptr);
  EXPECT_EQ(markets.Find(MarketId(2)), nullptr);
  EXPECT_TRUE(markets.Add(Market(2, "B")));
}

TEST(MarketDirectory, DefinitionsStayWhereTheyAre) {
  MarketDirectory markets;
  ASSERT_TRUE(markets.Add(Market(1, "A")));
  const MarketDefinition* const first = markets.Find(MarketId(1));
  for (uint32_t id = 2; id <= 1'000; ++id) markets.Add(Market(id, absl::StrCat("M", id)));
  const MarketDirectory moved = std::move(markets);
  EXPECT_EQ(moved.Find(MarketId(1)), first);
  EXPECT_EQ(moved.FindSymbol("A"), first);
  EXPECT_EQ(moved.FindSymbol("M1000"), moved.Find(MarketId(1'000)));
}

}  // namespace
}  // namespace engine
