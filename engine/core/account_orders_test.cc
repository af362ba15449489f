#include "engine/core/account_orders.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "engine/base/prng.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

class AccountOrdersTest : public testing::Test {
 protected:
  // The slot of each order is its id.
  OrderId Enter(AccountId account) {
    const OrderId id(++last_);
    index_.Insert(id, Slot(static_cast<uint32_t>(last_)));
    orders_.Add(account, id);
    return id;
  }
  std::vector<uint64_t> Of(AccountId account) {
    std::vector<uint64_t> ids;
    orders_.Visit(account, [&](Slot slot) { ids.push_back(slot.value()); });
    return ids;
  }

  OrderIndex index_;
  AccountOrders orders_{index_};
  uint64_t last_ = 0;
};

TEST_F(AccountOrdersTest, AnUnknownAccountHasNone) { EXPECT_TRUE(Of(AccountId(7)).empty()); }

// As a map would be, for few and many accounts, and orders of any lifetime.
TEST_F(AccountOrdersTest, IsAMap) {
  for (const uint64_t accounts : {1, 3, 500}) {
    for (const uint64_t live_at_most : {0, 1, 20, 3000}) {
      Prng prng(accounts + live_at_most);
      std::map<uint64_t, AccountId> live;
      for (int step = 0; step < 10'000; ++step) {
        const AccountId account(static_cast<uint32_t>(1 + prng.Below(accounts)));
        live.emplace(Enter(account).value(), account);
        while (live.size() > live_at_most) {
          auto ended = live.lower_bound(prng.Below(last_ + 1));
          if (ended == live.end()) ended = live.begin();
          index_.Erase(OrderId(ended->first));
          live.erase(ended);
        }
        if (!prng.Chance(2)) continue;
        std::vector<uint64_t> expected;
        for (const auto& [id, owner] : live) {
          if (owner == account) expected.push_back(id);
        }
        ASSERT_EQ(Of(account), expected) << step;
      }
      for (const auto& [id, owner] : live) index_.Erase(OrderId(id));
    }
  }
}

TEST_F(AccountOrdersTest, BlocksOfEndedOrdersAreUsedAgain) {
  constexpr size_t kLive = 1'000;
  std::vector<OrderId> live;
  for (uint32_t i = 0; i < 200'000; ++i) {
    live.push_back(Enter(AccountId(1 + i / 1'000)));  // No account comes back.
    if (live.size() <= kLive) continue;
    index_.Erase(live.front());
    live.erase(live.begin());
  }
  EXPECT_LE(orders_.block_count(), 4 * (kLive / 6 + 2));
}

}  // namespace
}  // namespace engine
