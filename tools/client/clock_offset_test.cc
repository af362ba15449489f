#include "tools/client/clock_offset.h"

#include <cstdint>

#include "engine/base/timestamp.h"
#include "gtest/gtest.h"

namespace client {
namespace {

using engine::Timestamp;

constexpr int64_t kSecond = 1'000'000'000;

Timestamp At(int64_t nanos) { return Timestamp::FromNanos(1'800'000'000 * kSecond + nanos); }

TEST(ClockOffset, IsZeroWhileNothingSpeaksAgainstIt) {
  ClockOffset offset;
  EXPECT_EQ(offset.nanos(), 0);
  offset.Observe(At(kSecond / 2), At(0), At(kSecond / 2 + 1'000'000));
  EXPECT_EQ(offset.nanos(), 0);
}

TEST(ClockOffset, FindsAClockThatIsWrong) {
  for (const int64_t truth : {int64_t{3'600}, int64_t{-45}}) {
    ClockOffset offset;
    // Replies at different parts of the venue's second narrow it down.
    for (int64_t at = 0; at < 10 * kSecond; at += 90'000'000) {
      const int64_t venue = at + truth * kSecond + 1'000'000;
      const int64_t date =
          venue >= 0 ? venue / kSecond * kSecond : -((-venue + kSecond - 1) / kSecond) * kSecond;
      offset.Observe(At(at), At(date), At(at + 2'000'000));
    }
    EXPECT_NEAR(static_cast<double>(offset.nanos()), static_cast<double>(truth * kSecond), 1e8);
  }
}

TEST(ClockOffset, BeginsAgainWhenAClockWasSet) {
  ClockOffset offset;
  offset.Observe(At(0), At(100 * kSecond), At(0));
  EXPECT_GT(offset.nanos(), 99 * kSecond);
  offset.Observe(At(200 * kSecond), At(200 * kSecond), At(200 * kSecond));
  EXPECT_EQ(offset.nanos(), 0);
}

}  // namespace
}  // namespace client
