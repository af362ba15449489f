#include "engine/views/top_levels.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "engine/base/prng.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

using ::testing::ElementsAre;

TopLevels::Level LevelOf(int64_t price, uint64_t quantity, uint64_t orders) {
  return {.price = Price::FromUnits(price),
          .quantity = Quantity::FromUnits(quantity),
          .order_count = orders};
}

std::vector<TopLevels::Level> LevelsOf(const TopLevels& side) {
  return {side.levels().begin(), side.levels().end()};
}

TEST(TopLevelsTest, AreBestFirst) {
  TopLevels bids(Side::kBid, 10);
  EXPECT_EQ(bids.Change(Price::FromUnits(5), 10, 1), 0u);
  EXPECT_EQ(bids.Change(Price::FromUnits(3), 20, 1), 1u);
  EXPECT_EQ(bids.Change(Price::FromUnits(4), 30, 1), 1u);
  EXPECT_EQ(bids.Change(Price::FromUnits(4), 5, 1), 1u);
  EXPECT_THAT(LevelsOf(bids), ElementsAre(LevelOf(5, 10, 1), LevelOf(4, 35, 2), LevelOf(3, 20, 1)));
  TopLevels asks(Side::kAsk, 10);
  EXPECT_EQ(asks.Change(Price::FromUnits(5), 10, 1), 0u);
  EXPECT_EQ(asks.Change(Price::FromUnits(-3), 20, 1), 0u);
  EXPECT_THAT(LevelsOf(asks), ElementsAre(LevelOf(-3, 20, 1), LevelOf(5, 10, 1)));
}

TEST(TopLevelsTest, ALevelThatLeavesIsFollowedByTheNext) {
  TopLevels asks(Side::kAsk, 2);
  for (const int64_t price : {4, 3, 2, 1}) asks.Change(Price::FromUnits(price), price, 1);
  EXPECT_THAT(LevelsOf(asks), ElementsAre(LevelOf(1, 1, 1), LevelOf(2, 2, 1)));
  EXPECT_EQ(asks.Change(Price::FromUnits(3), 1, 1), TopLevels::kBeyond);
  EXPECT_EQ(asks.Change(Price::FromUnits(1), -1, -1), 0u);
  EXPECT_THAT(LevelsOf(asks), ElementsAre(LevelOf(2, 2, 1), LevelOf(3, 4, 2)));
  EXPECT_EQ(asks.Change(Price::FromUnits(4), -4, -1), TopLevels::kBeyond);
  EXPECT_EQ(asks.Change(Price::FromUnits(3), -4, -2), 1u);
  EXPECT_THAT(LevelsOf(asks), ElementsAre(LevelOf(2, 2, 1)));
}

// Against a map of all levels.
TEST(TopLevelsTest, AreThoseOfAllLevels) {
  for (const Side side : {Side::kBid, Side::kAsk}) {
    Prng prng(7);
    TopLevels top(side, 3);
    std::map<int64_t, TopLevels::Level> all;
    for (int i = 0; i < 20'000; ++i) {
      const auto price = static_cast<int64_t>(prng.Below(12));
      const bool adds = prng.Below(2) == 0;
      if (adds) {
        TopLevels::Level& level = all.try_emplace(price, LevelOf(price, 0, 0)).first->second;
        level = LevelOf(price, level.quantity.units() + 7, level.order_count + 1);
      } else if (all.contains(price)) {
        TopLevels::Level& level = all.at(price);
        level = LevelOf(price, level.quantity.units() - 7, level.order_count - 1);
        if (level.order_count == 0) all.erase(price);
      } else {
        continue;
      }
      top.Change(Price::FromUnits(price), adds ? 7 : -7, adds ? 1 : -1);
      std::vector<TopLevels::Level> expected;
      for (const auto& [_, level] : all) expected.push_back(level);
      if (side == Side::kBid) std::ranges::reverse(expected);
      if (expected.size() > 3) expected.resize(3);
      ASSERT_EQ(LevelsOf(top), expected) << i;
    }
  }
}

}  // namespace
}  // namespace engine
