#include "tools/os/parallel.h"

#include <atomic>
#include <vector>

#include "gtest/gtest.h"
#include "tools/os/testing/no_more_threads.h"

namespace tools {
namespace {

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
