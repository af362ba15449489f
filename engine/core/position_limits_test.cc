#include "engine/core/position_limits.h"

#include <cstdint>
#include <limits>

#include "engine/base/digest.h"
#include "engine/state/state_digest.h"
#include "engine/types/ids.h"
#include "engine/types/quantity.h"
#include "engine/types/risk_limits.h"
#include "engine/types/side.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr AccountId kAccount(7);
constexpr MarketId kMarket(3);

Quantity Q(uint64_t units) { return Quantity::FromUnits(units); }

// What the state digest has of the limits, computed from all of them.
Digest SumOf(const PositionLimits& limits) {
  DigestSum sum;
  limits.Visit(
      [&](const PositionLimitStatus& status, const auto&) { AddPositionLimit(status, sum); });
  return sum.value();
}

TEST(PositionLimits, EachSideHasTheWholeLimit) {
  PositionLimits limits;
  limits.Set(kAccount, kMarket, Q(10));
  limits.AddOpen(kAccount, kMarket, Side::kBid, Q(4));
  const PositionLimits::Limited& limited = *limits.Find(kAccount, kMarket);
  EXPECT_TRUE(limited.Allows(0, Side::kBid, Q(6)));
  EXPECT_FALSE(limited.Allows(0, Side::kBid, Q(7)));
  EXPECT_TRUE(limited.Allows(-5, Side::kBid, Q(11)));
  EXPECT_TRUE(limited.Allows(0, Side::kAsk, Q(10)));
  EXPECT_FALSE(limited.Allows(-1, Side::kAsk, Q(10)));
  EXPECT_TRUE(limited.Allows(30, Side::kAsk, Q(40)));
  EXPECT_FALSE(limited.Allows(30, Side::kBid, Q(1)));
}

TEST(PositionLimits, NoPositionIsTooFarToCount) {
  PositionLimits limits;
  limits.Set(kAccount, kMarket, kPositionLimitMax);
  const PositionLimits::Limited& limited = *limits.Find(kAccount, kMarket);
  constexpr int64_t kFar = std::numeric_limits<int64_t>::max();
  constexpr int64_t kOther = std::numeric_limits<int64_t>::min();
  EXPECT_FALSE(limited.Allows(kFar, Side::kBid, Q(~uint64_t{0})));
  EXPECT_FALSE(limited.Allows(kOther, Side::kAsk, Q(1)));
  EXPECT_TRUE(limited.Allows(kOther, Side::kBid, Q(uint64_t{1} << 63)));
}

TEST(PositionLimits, AnotherLimitKeepsTheCountsAndNoneForgetsThem) {
  PositionLimits limits;
  limits.Set(kAccount, kMarket, Q(10));
  limits.CountTraded(kAccount, kMarket, Side::kAsk, Q(6));
  limits.CountTraded(kAccount, kMarket, Side::kBid, Q(1));
  limits.Set(kAccount, kMarket, Q(20));
  EXPECT_EQ(limits.Find(kAccount, kMarket)->traded, -5);
  limits.Remove(kAccount, kMarket);
  EXPECT_EQ(limits.Find(kAccount, kMarket), nullptr);
  limits.Set(kAccount, kMarket, Q(20));
  EXPECT_EQ(limits.Find(kAccount, kMarket)->traded, 0);
}

TEST(PositionLimits, TheSumFollowsEveryChange) {
  PositionLimits limits;
  EXPECT_EQ(limits.Sum(), Digest());
  limits.Set(kAccount, kMarket, Q(10));
  EXPECT_EQ(limits.Sum(), SumOf(limits));
  limits.CountTraded(kAccount, kMarket, Side::kBid, Q(6));
  EXPECT_EQ(limits.Sum(), SumOf(limits));
  limits.Set(kAccount, MarketId(4), Q(2));
  limits.Remove(kAccount, kMarket);
  limits.Set(kAccount, kMarket, Q(10));
  EXPECT_EQ(limits.Sum(), SumOf(limits));
  limits.Remove(kAccount, kMarket);
  limits.Remove(kAccount, MarketId(4));
  EXPECT_EQ(limits.Sum(), Digest());
}

TEST(PositionLimits, AnAccountHasOneInAnyMarketOrNone) {
  PositionLimits limits;
  limits.Set(AccountId(6), kMarket, Q(1));
  EXPECT_FALSE(limits.HasAny(kAccount));
  limits.Set(kAccount, kMarket, Q(1));
  EXPECT_TRUE(limits.HasAny(kAccount));
  limits.Remove(kAccount, kMarket);
  limits.Remove(kAccount, kMarket);
  EXPECT_FALSE(limits.HasAny(kAccount));
}

}  // namespace
}  // namespace engine
