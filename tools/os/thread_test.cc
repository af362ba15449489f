#include "tools/os/thread.h"

#include <atomic>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "tools/os/futex_doorbell.h"
#include "tools/os/testing/no_more_threads.h"

namespace tools {
namespace {

constexpr int64_t kForEver = 3'600'000'000'000;

TEST(Thread, IsToldToEndAndWaitedFor) {
  std::atomic<bool> stop = false;
  std::atomic<bool> ended = false;
  FutexDoorbell bell;
  {
    const Thread thread(
        "test",
        [&] {
          while (!stop) bell.Wait(kForEver);
          ended = true;
        },
        [&] {
          stop = true;
          bell.Ring();
        });
  }
  EXPECT_TRUE(ended);
}

TEST(Thread, WithoutAnythingToTellItIsWaitedFor) {
  std::atomic<bool> ended = false;
  {
    const Thread thread("test", [&] { ended = true; });
  }
  EXPECT_TRUE(ended);
}

TEST(Thread, ThatTheSystemDoesNotGiveSaysSo) {
  bool ran = false;
  const NoMoreThreads none;
  const Thread thread("reader", [&] { ran = true; });
  EXPECT_TRUE(absl::IsResourceExhausted(thread.status())) << thread.status();
  EXPECT_TRUE(absl::StrContains(thread.status().message(), "cannot start the thread 'reader'"))
      << thread.status();
  EXPECT_FALSE(ran);
}

TEST(FutexDoorbell, ARingBeforeTheWaitIsNotLost) {
  FutexDoorbell bell;
  bell.Ring();
  bell.Wait(kForEver);  // Returns.
}

TEST(FutexDoorbell, EveryHandOverIsHeard) {
  // Each side waits for the other: one lost ring, and this never ends.
  for (const uint32_t spin_count : {0u, 100u}) {
    FutexDoorbell ping(spin_count);
    FutexDoorbell pong(spin_count);
    std::atomic<int> turn = 0;
    constexpr int kTurns = 20'000;
    const Thread thread(
        "pong",
        [&] {
          while (turn.load() < kTurns) {
            if (turn.load() % 2 == 0) {
              ping.Wait(kForEver);
              continue;
            }
            turn.fetch_add(1);
            pong.Ring();
          }
        },
        [] {});
    while (turn.load() < kTurns) {
      if (turn.load() % 2 == 0) {
        turn.fetch_add(1);
        ping.Ring();
      } else {
        pong.Wait(kForEver);
      }
    }
    ping.Ring();
  }
}

}  // namespace
}  // namespace tools
