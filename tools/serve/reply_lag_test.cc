#include "tools/serve/reply_lag.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace tools {
namespace {

using engine::SequenceNumber;

engine::SteadyTime At(int64_t nanos) { return engine::SteadyTime::FromNanos(nanos); }

TEST(ReplyLagTest, EachReadCounts) {
  ReplyLag lag;
  lag.OnWritten(SequenceNumber(5), At(5));
  EXPECT_EQ(lag.histogram().count(), 0);
  lag.OnRead(At(10), SequenceNumber(5));
  lag.OnRead(At(90), SequenceNumber(5));  // A query, perhaps.
  lag.OnWritten(SequenceNumber(5), At(100));
  EXPECT_EQ(lag.histogram().count(), 2);
  EXPECT_EQ(lag.histogram().max(), 90);
  EXPECT_EQ(lag.histogram().Percentile(500'000), 10);
}

TEST(ReplyLagTest, AReadWaitsForTheJournal) {
  ReplyLag lag;
  lag.OnRead(At(10), SequenceNumber(5));
  lag.OnWritten(SequenceNumber(4), At(20));
  lag.OnRead(At(30), SequenceNumber(7));
  lag.OnWritten(SequenceNumber(6), At(50));
  EXPECT_EQ(lag.histogram().count(), 1);
  EXPECT_EQ(lag.histogram().max(), 40);
  lag.OnWritten(SequenceNumber(7), At(60));
  EXPECT_EQ(lag.histogram().count(), 2);
}

TEST(ReplyLagTest, TheLongestIsTaken) {
  ReplyLag lag;
  EXPECT_EQ(lag.TakeLongest(), 0);
  for (const int64_t nanos : {20, 70, 30}) {
    lag.OnRead(At(0), SequenceNumber(1));
    lag.OnWritten(SequenceNumber(1), At(nanos));
  }
  EXPECT_EQ(lag.TakeLongest(), 70);
  EXPECT_EQ(lag.TakeLongest(), 0);
}

}  // namespace
}  // namespace tools
