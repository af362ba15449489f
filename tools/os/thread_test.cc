#include "tools/os/thread.h"

#include <atomic>

#include "gtest/gtest.h"
#include "tools/os/futex_doorbell.h"

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
