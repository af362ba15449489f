#include "engine/core/expiry_queue.h"

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

}  // namespace
}  // namespace engine
