#include "engine/core/market_table.h"

#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/book/book_storage.h"
#include "engine/core/market.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/ids.h"
#include "engine/types/lifecycle.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

MarketDefinition Contract(uint32_t id) {
  return {.id = MarketId(id),
          .symbol = absl::StrCat("RAIN-", id),
          .price_decimals = 4,
          .quantity_decimals = 2,
          .tick = Price::FromUnits(100),
          .price_min = Price::FromUnits(100),
          .price_max = Price::FromUnits(9'900),
          .kind = MarketKind::kBinary};
}

constexpr FeeSchedule kFees = {.taker_coefficient = 700};

class MarketTableTest : public testing::Test {
 protected:
  Market& Add(const MarketDefinition& definition, const FeeSchedule& fees = {}) {
    return markets_.Add(definition, fees, storage_);
  }

  BookStorage storage_;
  MarketTable markets_;
};

TEST_F(MarketTableTest, MarketsAreFoundByIdsSmallAndLarge) {
  std::vector<const Market*> added;
  const std::vector<uint32_t> ids = {1, 7, 2, 4'000, 1u << 20, (1u << 21) - 1, 1u << 21, ~0u};
  for (const uint32_t id : ids) added.push_back(&Add(Contract(id)));
  for (size_t i = 0; i < ids.size(); ++i) {
    EXPECT_EQ(markets_.Find(MarketId(ids[i])), added[i]) << ids[i];
    EXPECT_EQ(added[i]->id(), MarketId(ids[i]));
  }
  for (const uint32_t id : {0u, 3u, 4'001u, (1u << 21) + 1, ~0u - 1}) {
    EXPECT_EQ(markets_.Find(MarketId(id)), nullptr) << id;
  }
}

TEST_F(MarketTableTest, MarketsNeverMove) {
  std::vector<const Market*> added;
  for (uint32_t id = 1; id <= 5'000; ++id) added.push_back(&Add(Contract(id)));
  for (uint32_t id = 1; id <= 5'000; ++id) {
    ASSERT_EQ(markets_.Find(MarketId(id)), added[id - 1]);
    ASSERT_EQ(added[id - 1]->id(), MarketId(id));
  }
}

TEST_F(MarketTableTest, MarketsThatDifferInTheirNamesShareTheirTerms) {
  const Market& one = Add(Contract(1));
  const Market& two = Add(Contract(2));
  EXPECT_EQ(one.terms, two.terms);
  EXPECT_EQ(one.definition().symbol, "");
  EXPECT_EQ(one.definition().id, MarketId());
  EXPECT_NE(Add(Contract(3), kFees).terms, one.terms);
  MarketDefinition finer = Contract(4);
  finer.tick = Price::FromUnits(10);
  EXPECT_NE(Add(finer).terms, one.terms);
}

// What one market of many changes is its own, and is shared again when it is the same again.
TEST_F(MarketTableTest, ChangeLeavesOtherMarketsAsTheyAre) {
  Market& one = Add(Contract(1));
  Market& two = Add(Contract(2));
  markets_.SetFees(one, kFees);
  EXPECT_EQ(one.status().fees, kFees);
  EXPECT_EQ(two.status().fees, FeeSchedule());
  markets_.SetSettlementValue(two, Price::FromUnits(10'000));
  EXPECT_EQ(one.status().settlement_value, Price());
  EXPECT_EQ(two.status().settlement_value, Price::FromUnits(10'000));
  markets_.SetSettlementValue(two, Price());
  markets_.SetFees(one, FeeSchedule());
  EXPECT_EQ(one.terms, two.terms);
}

// As orders in cents on a finer grid do.
TEST_F(MarketTableTest, PricesOffTheirGridAreIncludedWhenTheyCome) {
  MarketDefinition definition = Contract(1);
  definition.tick = Price::FromUnits(1);
  Market& market = Add(definition);
  const uint64_t cents = market.open_prices;
  EXPECT_LT(cents, 101u) << "ranks count in cents at first";
  EXPECT_GE(market.IndexOf(Price::FromUnits(150)), cents);
  market.Include(Price::FromUnits(150));
  EXPECT_LT(market.IndexOf(Price::FromUnits(150)), market.open_prices);
  market.MoveTo(MarketState::kPaused);
  EXPECT_EQ(market.open_prices, 0u);
  market.MoveTo(MarketState::kOpen);
  EXPECT_GT(market.open_prices, cents);
}

}  // namespace
}  // namespace engine
