#include "engine/gateway/known_orders.h"

#include <cstdint>
#include <map>
#include <vector>

#include "engine/base/prng.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

class KnownOrdersTest : public testing::Test {
 protected:
  KnownOrder& Remember(uint64_t order, uint64_t client_id) {
    return orders_.Remember(OrderId(order), client_id, &market_, Quantity::FromUnits(10));
  }
  void End(uint64_t order, uint64_t by) {
    orders_.End(*orders_.Find(OrderId(order)), SequenceNumber(by));
  }
  void Forget(uint64_t last) {
    orders_.ForgetEnded(SequenceNumber(last));
    orders_.CheckInvariants();
  }
  bool Knows(uint64_t order) { return orders_.Find(OrderId(order)) != nullptr; }
  // The order id that the client's id names; 0 when none.
  uint64_t Named(uint64_t client_id) const {
    const KnownOrder* const known = orders_.FindClient(client_id);
    return known == nullptr ? 0 : known->order.value();
  }

  MarketDefinition market_;
  KnownOrders orders_;
};

TEST_F(KnownOrdersTest, AreFoundByBothNames) {
  Remember(1, 77);
  EXPECT_EQ(Named(77), 1u);
  EXPECT_EQ(orders_.Find(OrderId(1))->client_id, 77u);
  EXPECT_FALSE(Knows(77));
  EXPECT_EQ(Named(1), 0u);
  EXPECT_EQ(orders_.live_count(), 1u);
  orders_.CheckInvariants();
}

TEST_F(KnownOrdersTest, EndedOnesStayUntilTheyAreForgotten) {
  Remember(1, 77);
  Remember(2, 78);
  End(1, 5);
  EXPECT_EQ(orders_.live_count(), 1u);
  Forget(4);
  EXPECT_EQ(Named(77), 1u);
  Forget(5);
  EXPECT_EQ(Named(77), 0u);
  EXPECT_FALSE(Knows(1));
  EXPECT_TRUE(Knows(2));
}

TEST_F(KnownOrdersTest, AClientIdNamesItsLastOrder) {
  Remember(1, 77);
  End(1, 2);
  Remember(3, 77);
  EXPECT_EQ(Named(77), 3u);
  Forget(2);
  EXPECT_FALSE(Knows(1));
  EXPECT_EQ(Named(77), 3u) << "forgetting the earlier order does not affect the later one's id";
  End(3, 4);
  Forget(4);
  EXPECT_EQ(Named(77), 0u);
}

TEST_F(KnownOrdersTest, OneThatIsRememberedAgainStartsAgain) {
  Remember(1, 77).filled = Quantity::FromUnits(3);
  EXPECT_EQ(Remember(1, 77).filled, Quantity());
  EXPECT_EQ(orders_.live_count(), 1u);
  orders_.CheckInvariants();
}

TEST_F(KnownOrdersTest, EndingTwiceIsACheckFailure) {
  Remember(1, 77);
  End(1, 2);
  EXPECT_DEATH(End(1, 3), "order 1");
  EXPECT_DEATH(Remember(1, 77), "order 1");
}

TEST_F(KnownOrdersTest, AgreeWithASimplerListOfThem) {
  struct Known {
    uint64_t client_id = 0;
    uint64_t ended_by = 0;  // 0: live.
  };
  std::map<uint64_t, Known> model;  // By order.
  std::map<uint64_t, uint64_t> by_client_id;
  Prng prng(3);
  for (uint64_t sequence = 1; sequence < 20'000; ++sequence) {
    if (prng.Chance(50)) {
      const uint64_t client_id = prng.Below(200);
      Remember(sequence, client_id);
      model[sequence] = {.client_id = client_id};
      by_client_id[client_id] = sequence;
    } else if (const auto some = model.lower_bound(sequence - prng.Below(400));
               some != model.end() && some->second.ended_by == 0) {
      End(some->first, sequence);
      some->second.ended_by = sequence;
    }
    const uint64_t last = sequence < 100 ? 0 : sequence - 100;
    orders_.ForgetEnded(SequenceNumber(last));
    uint64_t live_count = 0;
    for (auto at = model.begin(); at != model.end() && sequence % 16 == 0;) {
      const auto& [order, known] = *at;
      live_count += known.ended_by == 0 ? 1 : 0;
      const bool is_forgotten = known.ended_by != 0 && known.ended_by <= last;
      ASSERT_EQ(Knows(order), !is_forgotten) << order;
      if (is_forgotten && by_client_id[known.client_id] == order) {
        by_client_id.erase(known.client_id);
      }
      at = is_forgotten ? model.erase(at) : std::next(at);
    }
    if (sequence % 16 != 0) continue;
    ASSERT_EQ(orders_.live_count(), live_count);
    for (uint64_t id = 0; id < 200; ++id) {
      const auto named = by_client_id.find(id);
      ASSERT_EQ(Named(id), named == by_client_id.end() ? 0 : named->second);
    }
    orders_.CheckInvariants();
  }
}

}  // namespace
}  // namespace engine
