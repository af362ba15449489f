// Each setting of a thread is taken, or refused with a reason; none is taken unasked.

#include "tools/os/measuring.h"

#include <sched.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tools/os/thread.h"

namespace tools {
namespace {

// Takes them on a thread of its own, which ends with them, and calls `then` there.
template <typename Then>
std::vector<ConditionReport> Take(const MeasuringConditions& conditions, const Then& then) {
  std::vector<ConditionReport> reports;
  const auto body = [&] {
    reports = TakeConditions(conditions);
    then();
  };
  { const Thread thread("measured", body); }
  return reports;
}

TEST(MeasuringConditions, NothingIsTakenUnasked) {
  std::vector<int> cores;
  int policy = -1;
  const std::vector<ConditionReport> reports = Take({}, [&] {
    cores = UsableCores();
    policy = sched_getscheduler(0);
  });
  std::vector<std::string> names;
  for (const ConditionReport& report : reports) {
    names.push_back(report.name);
    EXPECT_FALSE(report.asked) << report.name;
    EXPECT_FALSE(report.taken) << report.name;
    EXPECT_EQ(report.detail, "") << report.name;
  }
  EXPECT_EQ(names, std::vector<std::string>({"core", "SCHED_FIFO", "mlockall", "huge pages"}));
  EXPECT_EQ(cores, UsableCores());
  EXPECT_EQ(policy, sched_getscheduler(0));
}

TEST(MeasuringConditions, AThreadIsPinnedToItsCore) {
  const int core = UsableCores().back();
  std::vector<int> cores;
  const ConditionReport report = Take({.core = core}, [&] { cores = UsableCores(); }).at(0);
  EXPECT_TRUE(report.asked);
  EXPECT_TRUE(report.taken);
  EXPECT_EQ(report.detail, absl::StrCat("core ", core));
  EXPECT_EQ(cores, std::vector<int>{core});
}

TEST(MeasuringConditions, ACoreThatIsNoneIsRefusedWithTheReason) {
  const ConditionReport report = Take({.core = 1'000}, [] {}).at(0);
  EXPECT_TRUE(report.asked);
  EXPECT_FALSE(report.taken);
  EXPECT_EQ(report.detail, "core 1000: Invalid argument");
}

TEST(MeasuringConditions, TheReportOfFifoIsTheSystemsOwn) {
  int policy = -1;
  const ConditionReport report =
      Take({.fifo = true}, [&] { policy = sched_getscheduler(0); }).at(1);
  EXPECT_TRUE(report.asked);
  EXPECT_EQ(report.taken, policy == SCHED_FIFO);
  EXPECT_EQ(report.detail, report.taken ? "priority 1" : "priority 1: Operation not permitted");
}

}  // namespace
}  // namespace tools
