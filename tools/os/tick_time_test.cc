#include "tools/os/tick_time.h"

#include <cstdint>

#include "engine/base/clock.h"
#include "engine/base/timestamp.h"
#include "gtest/gtest.h"
#include "tools/os/clocks.h"

namespace tools {
namespace {

TEST(TickTime, ContinuesTheClockBetweenItsSettings) {
  engine::ManualClock clock;
  clock.Set(engine::Timestamp::FromNanos(1'000));
  TickTime time(clock);
  clock.Set(engine::Timestamp::FromNanos(5'000'000'000'000));  // Is not read for a second.
  engine::Timestamp before = engine::Timestamp::FromNanos(1'000);
  for (int i = 0; i < 1'000; ++i) {
    const engine::Timestamp now = time.Now();
    EXPECT_GE(now, before);
    before = now;
  }
  const Stopwatch stopwatch;
  while (stopwatch.Seconds() < 1.1) {
  }
  EXPECT_EQ(time.Now(), clock.Now());
}

TEST(TickTime, IsTheTimeOfDay) {
  SystemClock system;
  TickTime time(system);
  constexpr int64_t kToleranceNanos = 50'000'000;  // Of a loaded machine.
  const Stopwatch stopwatch;
  while (stopwatch.Seconds() < 0.2) {
    const int64_t before = system.Now().nanos();
    const int64_t now = time.Now().nanos();
    ASSERT_GE(now, before - kToleranceNanos);
    ASSERT_LE(now, system.Now().nanos() + kToleranceNanos);
  }
}

}  // namespace
}  // namespace tools
