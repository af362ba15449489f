#include "engine/base/slot_ring.h"

#include <cstdint>
#include <deque>
#include <vector>

#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"

namespace engine {
namespace {

struct Value {
  uint64_t number = 0;
  uint64_t others[6] = {};
};

TEST(SlotRing, IsEmptyAtFirstAndFullWithItsCapacity) {
  SlotRing<Value> ring(2);
  EXPECT_EQ(ring.Front(), nullptr);
  for (uint64_t i = 0; i < 2; ++i) {
    Value* const slot = ring.Claim();
    ASSERT_NE(slot, nullptr);
    slot->number = i;
    EXPECT_EQ(ring.Claim(), slot) << "claimed, but not published yet";
    ring.Publish();
  }
  EXPECT_EQ(ring.Claim(), nullptr);
  ASSERT_NE(ring.Front(), nullptr);
  EXPECT_EQ(ring.Front()->number, 0);
  ring.Pop();
  EXPECT_NE(ring.Claim(), nullptr);
}

TEST(SlotRing, WhatIsClaimedIsNotRead) {
  SlotRing<Value> ring(1);
  ASSERT_NE(ring.Claim(), nullptr);
  EXPECT_EQ(ring.Front(), nullptr);
}

RC_GTEST_PROP(SlotRing, IsAQueue, ()) {
  const auto capacity = uint64_t{1} << *rc::gen::inRange(0, 4);
  SlotRing<Value> ring(capacity);
  std::deque<uint64_t> queue;
  uint64_t next = 0;
  const auto steps = *rc::gen::container<std::vector<bool>>(200, rc::gen::arbitrary<bool>());
  for (const bool writes : steps) {
    if (writes) {
      Value* const slot = ring.Claim();
      RC_ASSERT((slot == nullptr) == (queue.size() == capacity));
      if (slot == nullptr) continue;
      slot->number = next;
      ring.Publish();
      queue.push_back(next++);
    } else {
      const Value* const front = ring.Front();
      RC_ASSERT((front == nullptr) == queue.empty());
      if (front == nullptr) continue;
      RC_ASSERT(front->number == queue.front());
      ring.Pop();
      queue.pop_front();
    }
  }
}

}  // namespace
}  // namespace engine
