// A reading that jumps ahead is not used, and every other one is.

#include "journal/guarded_clock.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/base/clock.h"
#include "engine/base/timestamp.h"
#include "gtest/gtest.h"
#include "journal/record.h"
#include "journal/sequencer.h"
#include "journal/testing/harsh_clock.h"
#include "journal/testing/journal_test_base.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/writer.h"

namespace journal {
namespace {

using engine::Timestamp;

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kMinute = 60 * kSecond;
constexpr int64_t kHour = 60 * kMinute;
constexpr int64_t kDay = 24 * kHour;

Timestamp At(int64_t nanos) { return Timestamp::FromNanos(nanos); }

struct Guarded {
  Timestamp Read(Timestamp reading, int64_t passed) {
    real.Set(reading);
    steady.Advance(passed);
    return clock.Now();
  }

  engine::ManualClock real;
  engine::ManualSteadyClock steady;
  std::vector<std::pair<Timestamp, Timestamp>> warnings;
  GuardedClock clock{real, steady, kDay, [this](Timestamp refused, Timestamp used) {
                       warnings.emplace_back(refused, used);
                     }};
};

TEST(GuardedClock, AReadingOf2261IsNotUsedAndWarnedOfOnce) {
  Guarded guarded;
  EXPECT_EQ(guarded.Read(At(50 * kDay), 0), At(50 * kDay));
  EXPECT_EQ(guarded.Read(Timestamp::Max(), kSecond), At(50 * kDay));
  EXPECT_EQ(guarded.Read(Timestamp::Max(), kSecond), At(50 * kDay));
  EXPECT_EQ(guarded.warnings, (std::vector{std::pair(Timestamp::Max(), At(50 * kDay))}));
  EXPECT_EQ(guarded.Read(At(50 * kDay + 3 * kSecond), kSecond), At(50 * kDay + 3 * kSecond));
  EXPECT_EQ(guarded.Read(Timestamp::Max(), kSecond), At(50 * kDay + 3 * kSecond));
  EXPECT_EQ(guarded.warnings.size(), 2u) << "it had been right in between";
}

TEST(GuardedClock, TheLimitIsADayBeyondTheTimeThatHasPassed) {
  Guarded guarded;
  guarded.Read(At(0), 0);
  EXPECT_EQ(guarded.Read(At(kDay + kSecond + 1), kSecond), At(0));
  EXPECT_EQ(guarded.Read(At(kDay + kSecond), 0), At(kDay + kSecond));
  // A process that was idle for a week is no jump.
  EXPECT_EQ(guarded.Read(At(8 * kDay), 7 * kDay), At(8 * kDay));
  EXPECT_EQ(guarded.warnings.size(), 1u);
}

TEST(GuardedClock, AStepBackIsUsedAndTheWayForwardAgainIsNoJump) {
  Guarded guarded;
  guarded.Read(At(50 * kDay), 0);
  EXPECT_EQ(guarded.Read(At(50 * kDay - kHour), kSecond), At(50 * kDay - kHour));
  EXPECT_EQ(guarded.Read(At(0), kSecond), At(0));
  EXPECT_EQ(guarded.Read(At(50 * kDay + 3 * kSecond), kSecond), At(50 * kDay + 3 * kSecond));
  EXPECT_TRUE(guarded.warnings.empty());
}

TEST(GuardedClock, TheFirstReadingIsUsed) {
  Guarded guarded;
  EXPECT_EQ(guarded.Read(Timestamp::Max(), 0), Timestamp::Max());
  EXPECT_EQ(guarded.Read(At(kDay), kSecond), At(kDay)) << "the sequencer stays where it was";
}

// What a log is stamped with, under any clock: never further ahead of true time than
// the clock was set, and never the same for longer than the clock is late.
TEST_F(JournalTest, StampsFollowTrueTimeUnderAClockThatStepsAndJumps) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    MemoryDirectory directory;
    const auto writer =
        Writer::Create(directory, TestMetadata(), TestUuid(), kTestCreated, {}).value();
    HarshClock harsh(At(20'000 * kDay), seed);
    GuardedClock clock(harsh, harsh.steady(), kDay, [](Timestamp, Timestamp) {});
    Sequencer sequencer(*writer, clock);
    Timestamp right_at = harsh.truth();
    for (int i = 0; i < 3000; ++i) {
      harsh.Pass(kMinute);
      const Timestamp stamp = sequencer.Append(Row{})->timestamp();
      ASSERT_LE(stamp.nanos(), harsh.truth().nanos() + HarshClock::kStepNanos);
      if (stamp >= harsh.truth()) right_at = harsh.truth();
      ASSERT_LE(harsh.truth().nanos() - right_at.nanos(), 3 * kHour);
    }
  }
}

}  // namespace
}  // namespace journal
