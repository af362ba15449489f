#include "tools/cli/show/log_statistics.h"

#include <cstdint>
#include <initializer_list>

#include "engine/base/prng.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/types/ids.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tools {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(SizeHistogramTest, SmallValuesAreExact) {
  SizeHistogram histogram;
  for (uint64_t value = 1; value <= 60; ++value) histogram.Add(value);
  EXPECT_EQ(histogram.Percentile(50), 30u);
  EXPECT_EQ(histogram.Percentile(100), 60u);
}

TEST(SizeHistogramTest, AnEmptyOneHasNoPercentiles) {
  EXPECT_EQ(SizeHistogram().Percentile(50), 0u);
}

TEST(SizeHistogramTest, LargeValuesAreExactToOnePartIn32) {
  engine::Prng prng(1);
  for (int i = 0; i < 1000; ++i) {
    const uint64_t value = prng.Next() >> prng.Below(64);
    SizeHistogram histogram;
    histogram.Add(value);
    histogram.Add(UINT64_MAX);
    EXPECT_GE(histogram.Percentile(50), value);
    EXPECT_LE(histogram.Percentile(50) - value, value / 32) << value;
    EXPECT_EQ(histogram.Percentile(100), UINT64_MAX);
  }
}

class LogStatisticsTest : public ::testing::Test {
 protected:
  void At(int64_t nanos, uint32_t market = 1, uint32_t account = 1,
          engine::CommandKind kind = engine::CommandKind::kNewOrder, size_t attachment = 0) {
    engine::Command command;
    command.timestamp = engine::Timestamp::FromNanos(nanos);
    command.market = engine::MarketId(market);
    command.account = engine::AccountId(account);
    command.kind = kind;
    statistics_.Add(command, attachment);
  }

  LogStatistics statistics_;
};

TEST_F(LogStatisticsTest, CountsKindsMarketsAndAccounts) {
  At(0, 1, 1, engine::CommandKind::kDefineMarket, 100);
  At(1, 2, 5);
  At(2, 2, 5, engine::CommandKind::kCancel);
  At(3, 3, 4);
  EXPECT_EQ(statistics_.command_count(), 4u);
  EXPECT_EQ(statistics_.attachment_count(), 1u);
  EXPECT_EQ(statistics_.attachment_bytes(), 100u);
  EXPECT_THAT(statistics_.kinds(), ElementsAre(Pair(engine::CommandKind::kDefineMarket, 1),
                                               Pair(engine::CommandKind::kNewOrder, 2),
                                               Pair(engine::CommandKind::kCancel, 1)));
  EXPECT_THAT(statistics_.Markets(),
              ElementsAre(Pair(engine::MarketId(2), 2), Pair(engine::MarketId(1), 1),
                          Pair(engine::MarketId(3), 1)));
  EXPECT_THAT(statistics_.Accounts(),
              ElementsAre(Pair(engine::AccountId(5), 2), Pair(engine::AccountId(1), 1),
                          Pair(engine::AccountId(4), 1)));
}

TEST_F(LogStatisticsTest, NumberZeroIsNoMarketAndNoAccount) {
  At(0, 0, 5);
  At(1, 2, 0);
  At(2, 0, 0);
  EXPECT_THAT(statistics_.Markets(), ElementsAre(Pair(engine::MarketId(2), 1)));
  EXPECT_THAT(statistics_.Accounts(), ElementsAre(Pair(engine::AccountId(5), 1)));
  EXPECT_EQ(statistics_.without_market(), 2u);
  EXPECT_EQ(statistics_.without_account(), 2u);
}

TEST_F(LogStatisticsTest, SecondsBeginAtWholeSeconds) {
  for (const int64_t nanos :
       std::initializer_list<int64_t>{-1, 0, 999'999'999, 1'000'000'000, 5'000'000'001}) {
    At(nanos);
  }
  ASSERT_EQ(statistics_.seconds().size(), 4u);
  EXPECT_EQ(statistics_.seconds()[0].time.nanos(), -1'000'000'000);
  EXPECT_EQ(statistics_.BusiestSecond().time.nanos(), 0);
  EXPECT_EQ(statistics_.BusiestSecond().count, 2u);
}

TEST_F(LogStatisticsTest, TheMeanRateIsOverTheTimeThatPassed) {
  EXPECT_EQ(statistics_.MeanRate(), 0);
  At(1'000'000'000);
  EXPECT_EQ(statistics_.MeanRate(), 0);
  At(1'500'000'000);
  At(3'000'000'000);
  EXPECT_EQ(statistics_.MeanRate(), 1.5);
}

TEST_F(LogStatisticsTest, GapsAreBetweenNeighbours) {
  for (const int64_t nanos : {10, 10, 15, 45}) At(nanos);
  EXPECT_EQ(statistics_.gaps().count(), 3u);
  EXPECT_EQ(statistics_.gaps().Percentile(50), 5u);
  EXPECT_EQ(statistics_.gaps().largest(), 30u);
}

TEST_F(LogStatisticsTest, TheWidestTimesDoNotOverflow) {
  At(INT64_MIN);
  At(INT64_MAX);
  EXPECT_EQ(statistics_.gaps().largest(), UINT64_MAX);
  EXPECT_GT(statistics_.MeanRate(), 0);
}

}  // namespace
}  // namespace tools
