#include "tools/os/thread.h"

#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "tools/os/doorbells.h"
#include "tools/os/testing/no_more_threads.h"

namespace tools {
namespace {

constexpr int64_t kForEver = 3'600'000'000'000;

TEST(Thread, IsAskedToEndAndJoined) {
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

TEST(Thread, WithoutAStopFunctionIsJoined) {
  std::atomic<bool> ended = false;
  {
    const Thread thread("test", [&] { ended = true; });
  }
  EXPECT_TRUE(ended);
}

TEST(Thread, StartsOnItsCoreWhileItsCreatorKeepsItsOwn) {
  const std::vector<int> cores = UsableCores();
  sched_param priority = {.sched_priority = 1};
  std::atomic<bool> began = false;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  // The creator runs in its own thread, whose core and policy end with it.
  const Thread maker("maker", [&] {
    PinThisThread(cores.front());
    // If the system allows it, the other thread must be on another core.
    if (cores.size() > 1) pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority);
    const Thread other(
        "other",
        [&] {
          EXPECT_EQ(sched_getcpu(), cores.back());
          began = true;
        },
        {}, cores.back());
    while (!began && std::chrono::steady_clock::now() < deadline) {
    }
    EXPECT_TRUE(began);
  });
}

TEST(Thread, StartsAnywhereIfThereIsNoSuchCore) {
  std::atomic<bool> ran = false;
  for (const int core : {CPU_SETSIZE - 1, CPU_SETSIZE + 5, -1}) {
    ran = false;
    {
      const Thread thread(
          "test", [&] { ran = true; }, {}, core);
      EXPECT_TRUE(thread.status().ok()) << thread.status();
    }
    EXPECT_TRUE(ran);
  }
}

TEST(Thread, ThatTheSystemRefusesIsReported) {
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

TEST(FutexDoorbell, EveryHandOverWakes) {
  // Each side waits for the other: one lost ring, and this test never ends.
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

TEST(Parallel, DoesEachItemOnce) {
  for (const size_t threads : {0, 1, 2, 7}) {
    for (const size_t count : {0, 1, 5, 1000}) {
      std::vector<std::atomic<int>> done(count);
      RunParallel(count, threads, [&](size_t i) { ++done[i]; });
      for (const std::atomic<int>& times : done) EXPECT_EQ(times, 1);
    }
  }
}

TEST(Parallel, WorksAtTheSameTime) {
  // Each waits for the other: alone, neither would end.
  std::atomic<int> arrived = 0;
  RunParallel(2, 2, [&](size_t) {
    ++arrived;
    while (arrived < 2) {
    }
  });
  EXPECT_EQ(arrived, 2);
}

TEST(Parallel, DoesEachItemOnceWithoutMoreThreads) {
  const NoMoreThreads none;
  std::vector<int> done(100);
  RunParallel(done.size(), 4, [&](size_t i) { ++done[i]; });
  EXPECT_EQ(done, std::vector<int>(100, 1));
}

}  // namespace
}  // namespace tools
