#include "engine/core/expiry_queue.h"

#include <cstdint>
#include <limits>
#include <optional>

#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

Timestamp At(int64_t nanos) { return Timestamp::FromNanos(nanos); }

TEST(ExpiryQueue, WhatIsDueComesByTimeThenById) {
  ExpiryQueue queue;
  queue.Add(At(20), OrderId(1));
  queue.Add(At(10), OrderId(3));
  queue.Add(At(10), OrderId(2));
  EXPECT_EQ(queue.FirstDue(At(9)), std::nullopt);
  EXPECT_EQ(queue.FirstDue(At(10)), OrderId(2));
  queue.Remove(At(10), OrderId(2));
  EXPECT_EQ(queue.FirstDue(At(10)), OrderId(3));
  queue.Remove(At(10), OrderId(3));
  EXPECT_EQ(queue.FirstDue(At(10)), std::nullopt);
  EXPECT_EQ(queue.FirstDue(At(25)), OrderId(1));
}

TEST(ExpiryQueue, AnEmptyQueueHasNothingDueEvenAtTheEndOfTime) {
  constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();
  ExpiryQueue queue;
  EXPECT_EQ(queue.FirstDue(At(kEnd)), std::nullopt);
  queue.Add(At(kEnd), OrderId(1));
  EXPECT_EQ(queue.FirstDue(At(kEnd - 1)), std::nullopt);
  EXPECT_EQ(queue.FirstDue(At(kEnd)), OrderId(1));
  queue.Remove(At(kEnd), OrderId(1));
  EXPECT_EQ(queue.FirstDue(At(kEnd)), std::nullopt);
}

}  // namespace
}  // namespace engine
