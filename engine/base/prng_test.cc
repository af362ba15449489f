#include "engine/base/prng.h"

#include <array>

#include "gtest/gtest.h"

namespace engine {
namespace {

// Pinned: logs made from a seed must never change.
TEST(Prng, Vectors) {
  Prng prng(0);
  EXPECT_EQ(prng.Next(), 0x53175d61490b23dfu);
  EXPECT_EQ(prng.Next(), 0x61da6f3dc380d507u);
  EXPECT_EQ(prng.Next(), 0x5c0fdf91ec9a7bfcu);
}

TEST(Prng, BelowReachesEveryValueAndNoOther) {
  Prng prng(7);
  std::array<int, 6> seen = {};
  for (int i = 0; i < 6000; ++i) ++seen[prng.Below(6)];
  for (const int count : seen) {
    EXPECT_GT(count, 850);
    EXPECT_LT(count, 1150);
  }
  EXPECT_EQ(prng.Below(1), 0u);
}

TEST(Prng, BetweenIncludesBothEnds) {
  Prng prng(7);
  bool low = false;
  bool high = false;
  for (int i = 0; i < 1000; ++i) {
    const int64_t value = prng.Between(-2, 2);
    ASSERT_GE(value, -2);
    ASSERT_LE(value, 2);
    low |= value == -2;
    high |= value == 2;
  }
  EXPECT_TRUE(low && high);
}

}  // namespace
}  // namespace engine
