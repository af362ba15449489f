#include "engine/core/holding_table.h"

#include <cstdint>
#include <map>
#include <utility>

#include "engine/base/prng.h"
#include "engine/types/ids.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

TEST(HoldingTable, WhatIsNotThereIsNotFound) {
  HoldingTable table;
  EXPECT_EQ(table.Find(AccountId(1), MarketId(1)), nullptr);
  EXPECT_EQ(table.Find(AccountId(), MarketId()), nullptr);
  table.Add(AccountId(1), MarketId(2));
  EXPECT_EQ(table.Find(AccountId(2), MarketId(1)), nullptr);
  EXPECT_EQ(table.Find(AccountId(1), MarketId()), nullptr);
}

TEST(HoldingTable, EqualsAMapAfterAnyAdditionsAndRemovals) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Prng prng(seed);
    HoldingTable table;
    std::map<std::pair<AccountId, MarketId>, int64_t> model;
    const uint64_t accounts = 1 + prng.Below(300);
    for (int step = 0; step < 5'000; ++step) {
      const AccountId account(static_cast<uint32_t>(prng.Below(accounts)));
      const MarketId market(static_cast<uint32_t>(1 + prng.Below(4)));
      if (model.erase({account, market}) != 0) {
        table.Remove(account, market);
      } else {
        table.Add(account, market).position = step;
        model[{account, market}] = step;
      }
      const AccountId other(static_cast<uint32_t>(prng.Below(accounts)));
      const auto expected = model.find({other, market});
      const Holding* const found = table.Find(other, market);
      const Holding* const at_home = table.FindAtHome(other, market);
      ASSERT_TRUE(at_home == nullptr || at_home == found);
      ASSERT_EQ(found != nullptr, expected != model.end());
      if (found != nullptr) {
        ASSERT_EQ(found->position, expected->second);
      }
    }
    ASSERT_EQ(table.size(), model.size());
    for (const Holding& holding : table.slots()) {
      if (holding.market == MarketId()) continue;
      ASSERT_EQ(model.at({holding.account, holding.market}), holding.position);
    }
    for (const auto& [key, position] : model) {
      ASSERT_EQ(table.Find(key.first, key.second)->position, position);
    }
  }
}

TEST(HoldingTable, OneOfManyThatShareAPlaceIsAtHome) {
  HoldingTable table;
  for (const uint32_t account : {1, 90, 145, 234}) {
    table.Add(AccountId(account), MarketId(1));
    EXPECT_NE(table.Find(AccountId(account), MarketId(1)), nullptr);
    EXPECT_EQ(table.FindAtHome(AccountId(account), MarketId(1)) != nullptr, account == 1);
  }
}

TEST(HoldingTable, ItsSizeAloneDecidesItsMemory) {
  HoldingTable table;
  for (uint32_t market = 1; market <= 1000; ++market) {
    for (uint32_t account = 1; account <= 30; ++account) {
      table.Add(AccountId(account), MarketId(market));
    }
    for (uint32_t account = 1; account <= 30; ++account) {
      table.Remove(AccountId(account), MarketId(market));
    }
  }
  EXPECT_EQ(table.size(), 0u);
  EXPECT_EQ(table.slots().size(), 64u);
}

TEST(HoldingTable, OneHoldingForEachPair) {
  HoldingTable table;
  table.Add(AccountId(1), MarketId(2));
  EXPECT_DEATH(table.Add(AccountId(1), MarketId(2)), "has a holding");
  EXPECT_DEATH(table.Remove(AccountId(2), MarketId(2)), "has no holding");
  EXPECT_DEATH(table.Add(AccountId(1), MarketId()), "market");
}

}  // namespace
}  // namespace engine
