#include "engine/gateway/kalshi/tiers.h"

#include "gtest/gtest.h"

namespace engine {
namespace {

TEST(KalshiTiers, AreFoundByName) {
  ASSERT_NE(FindKalshiTier("basic"), nullptr);
  EXPECT_EQ(FindKalshiTier("basic")->write.capacity, 100u);
  EXPECT_EQ(FindKalshiTier("Basic"), nullptr);
}

}  // namespace
}  // namespace engine
