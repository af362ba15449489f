#include "engine/book/order_index.h"

#include <cstdint>
#include <map>
#include <vector>

#include "engine/base/prng.h"
#include "engine/book/order_slot.h"
#include "engine/types/ids.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

TEST(OrderIndexTest, FindsWhatWasInsertedUntilItIsErased) {
  OrderIndex index;
  index.Insert(OrderId(5), Slot(50));
  index.Insert(OrderId(7), Slot(70));
  EXPECT_EQ(index.Find(OrderId(5)), Slot(50));
  EXPECT_EQ(index.Find(OrderId(6)), Slot());
  index.Erase(OrderId(5));
  EXPECT_EQ(index.Find(OrderId(5)), Slot());
  EXPECT_EQ(index.Find(OrderId(7)), Slot(70));
  EXPECT_EQ(index.Count(), 1u);
}

TEST(OrderIndexTest, AnyIdMayBeLookedUp) {
  OrderIndex index;
  for (const bool filled : {false, true}) {
    if (filled) index.Insert(OrderId(1'000'000), Slot(2));
    for (const uint64_t id : {uint64_t{0}, uint64_t{1}, uint64_t{999'999}, uint64_t{1'000'001},
                              uint64_t{1'000'000} + (1 << 20), UINT64_MAX, UINT64_MAX / 2}) {
      EXPECT_EQ(index.Find(OrderId(id)), Slot()) << id;
      index.Prefetch(OrderId(id));
    }
  }
}

// As a map would be, for lifetimes from one command to all of them, with gaps between the ids.
TEST(OrderIndexTest, IsAMap) {
  for (const uint64_t live_at_most : {1, 3, 100, 5000}) {
    for (const uint64_t gap : {1, 10, 5000, 3'000'000}) {
      Prng prng(live_at_most * gap);
      OrderIndex index;
      std::map<uint64_t, Slot> expected;
      uint64_t id = 0;
      for (int step = 0; step < 20'000; ++step) {
        id += 1 + prng.Below(gap);
        const Slot slot(static_cast<uint32_t>(1 + prng.Below(1'000'000)));
        index.Insert(OrderId(id), slot);
        expected[id] = slot;
        while (expected.size() > live_at_most || (!expected.empty() && prng.Chance(20))) {
          auto erased = expected.lower_bound(prng.Below(id + 1));
          if (erased == expected.end()) erased = expected.begin();
          index.Erase(OrderId(erased->first));
          EXPECT_EQ(index.Find(OrderId(erased->first)), Slot());
          expected.erase(erased);
        }
        const uint64_t asked = prng.Below(id + 10);
        const auto found = expected.find(asked);
        ASSERT_EQ(index.Find(OrderId(asked)), found == expected.end() ? Slot() : found->second);
      }
      ASSERT_EQ(index.Count(), expected.size());
      for (const auto& [live, slot] : expected) ASSERT_EQ(index.Find(OrderId(live)), slot);
      for (const uint64_t first : {uint64_t{0}, id / 2, id, id + 1}) {
        std::vector<Slot> visited, from_first;
        index.VisitFrom(OrderId(first), [&](Slot slot) { visited.push_back(slot); });
        for (auto at = expected.lower_bound(first); at != expected.end(); ++at) {
          from_first.push_back(at->second);
        }
        ASSERT_EQ(visited, from_first) << first;
      }
    }
  }
}

TEST(OrderIndexTest, OneThatNeverEndsDoesNotDisturbTheOthers) {
  OrderIndex index;
  index.Insert(OrderId(1), Slot(11));
  for (uint64_t id = 2; id < 5'000'000; id += 3) {
    index.Insert(OrderId(id), Slot(22));
    ASSERT_EQ(index.Find(OrderId(id)), Slot(22));
    index.Erase(OrderId(id));
    ASSERT_EQ(index.Find(OrderId(id)), Slot());
  }
  EXPECT_EQ(index.Find(OrderId(1)), Slot(11));
  EXPECT_EQ(index.Count(), 1u);
}

}  // namespace
}  // namespace engine
