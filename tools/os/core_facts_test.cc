#include "tools/os/core_facts.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/os/measuring.h"
#include "tools/os/output_folder.h"
#include "tools/os/thread.h"

namespace tools {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CoreList, IsReadAsTheKernelWritesIt) {
  EXPECT_THAT(ParseCoreList("0-2,5"), ElementsAre(0, 1, 2, 5));
  EXPECT_THAT(ParseCoreList("7"), ElementsAre(7));
  for (const char* const bad : {"", "a", "1-", "-1", "2-1", "1-2-3", "0-99999999", "4096"}) {
    EXPECT_THAT(ParseCoreList(bad), IsEmpty()) << bad;
  }
}

// A machine in a folder.
class CoreFactsTest : public ::testing::Test {
 protected:
  void Write(const std::string& path, const std::string& text) {
    const std::filesystem::path file(root() + path);
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << '\n';
  }
  std::string root() const { return folder_->path(); }

 private:
  const std::unique_ptr<TemporaryDirectory> folder_ = TemporaryDirectory::Make().value();
};

TEST_F(CoreFactsTest, EveryFactIsFound) {
  const std::string cpu = "/sys/devices/system/cpu";
  Write(cpu + "/isolated", "2-3");
  Write(cpu + "/nohz_full", "(null)");
  Write(cpu + "/cpu2/cpufreq/scaling_governor", "powersave");
  Write(cpu + "/cpu2/topology/thread_siblings_list", "2,6");
  const std::vector<std::vector<std::string>> states = {
      {"POLL", "0", "0"}, {"C1", "1", "0"}, {"C2", "133", "0"}, {"C3", "1000", "1"}};
  for (size_t i = 0; i < states.size(); ++i) {
    const std::string folder = cpu + "/cpu2/cpuidle/state" + std::to_string(i);
    Write(folder + "/name", states[i][0]);
    Write(folder + "/latency", states[i][1]);
    Write(folder + "/disable", states[i][2]);
  }
  Write("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never");
  Write("/proc/cmdline", "quiet rcu_nocbs=2-3 isolcpus=2-3");
  Write("/proc/irq/9/effective_affinity_list", "2");
  Write("/proc/irq/24/effective_affinity_list", "0");
  Write("/proc/irq/24/smp_affinity_list", "0-7");
  Write("/proc/irq/100/smp_affinity_list", "0-7");
  const IsolationFacts facts = ReadIsolationFacts({2}, root());
  EXPECT_EQ(facts.isolated, "2-3");
  EXPECT_EQ(facts.tickless, "");
  EXPECT_EQ(facts.no_callbacks, "2-3");
  EXPECT_EQ(facts.huge_pages, "madvise");
  ASSERT_EQ(facts.cores.size(), 1u);
  EXPECT_EQ(facts.cores[0].governor, "powersave");
  EXPECT_EQ(facts.cores[0].deepest, (IdleState{.name = "C2", .exit_micros = 133}));
  EXPECT_THAT(facts.cores[0].siblings, ElementsAre(6));
  EXPECT_THAT(facts.cores[0].interrupts, ElementsAre("9", "100"));
}

TEST_F(CoreFactsTest, CountsAreThoseOfTheCore) {
  Write("/proc/interrupts",
        "            CPU0       CPU2\n"
        "  24:          1          0  IO-APIC   5-edge      ACPI:Ged\n"
        " LOC:   10067630   10155374   Local timer interrupts");
  Write("/proc/stat", "cpu  1 2 3 4 5 6 7 8 9 10\ncpu2 11 12 13 14 15 16 17 18 19 20");
  EXPECT_EQ(ReadCoreCounts(2, root()).timer_ticks, 10'155'374);
  EXPECT_EQ(ReadCoreCounts(2, root()).steal_ticks, 18);
  EXPECT_EQ(ReadCoreCounts(1, root()).timer_ticks, std::nullopt);
  EXPECT_EQ(ReadCoreCounts(1, root()).steal_ticks, std::nullopt);
}

TEST_F(CoreFactsTest, SystemThatSaysNothingHasNoFacts) {
  const IsolationFacts facts = ReadIsolationFacts({0}, root());
  EXPECT_EQ(facts.isolated + facts.tickless + facts.no_callbacks + facts.huge_pages, "");
  ASSERT_EQ(facts.cores.size(), 1u);
  EXPECT_EQ(facts.cores[0].deepest, std::nullopt);
  EXPECT_THAT(facts.cores[0].interrupts, IsEmpty());
  EXPECT_EQ(ReadCoreCounts(0, root()).timer_ticks, std::nullopt);
}

TEST(Hiccups, AreRankedByLength) {
  const Hiccups hiccups{.nanos = 2'000'000'000,
                        .pauses = {3'000, 9'000, 1'000, 5'000, 7'000, 2'000}};
  EXPECT_EQ(hiccups.paused_nanos(), 27'000);
  EXPECT_EQ(hiccups.longest(), 9'000);
  EXPECT_EQ(hiccups.LengthOf(1), 7'000) << "two in two seconds";
  EXPECT_EQ(hiccups.LengthOf(3), 1'000);
  EXPECT_EQ(hiccups.LengthOf(4), 0);
  EXPECT_EQ(Hiccups{}.longest(), 0);
  // A measurement takes a little longer than was asked for.
  EXPECT_EQ((Hiccups{.nanos = 1'000'300'000, .pauses = {5'000, 2'000}}).LengthOf(1), 5'000);
}

TEST(Hiccups, AreMeasuredForAsLongAsAsked) {
  const TickClock clock = TickClock::Calibrate();
  RunParallel(1, 2, [&](size_t) {
    const Hiccups hiccups = MeasureHiccups(UsableCores().front(), 5'000'000, clock);
    EXPECT_TRUE(hiccups.is_pinned);
    EXPECT_GE(hiccups.nanos, 4'900'000);
    EXPECT_LE(hiccups.paused_nanos(), hiccups.nanos);
    for (const uint64_t pause : hiccups.pauses) EXPECT_GE(pause, Hiccups::kNanosMin - 1);
  });
}

}  // namespace
}  // namespace tools
