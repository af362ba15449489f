#include "tools/cli/maintenance/ablation.h"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/os/thread.h"

namespace tools {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

TEST(AblationRows, HaveEachSettingAloneAndAllTogether) {
  const std::vector<AblationRow> rows = AblationRows();
  std::set<std::string> names;
  for (const AblationRow& row : rows) names.insert(row.name);
  EXPECT_EQ(names.size(), rows.size());
  const auto count = [](const IsolationSettings& settings) {
    return settings.pins + settings.uses_fifo + settings.locks_memory + settings.has_huge_pages +
           settings.has_partition + settings.spins;
  };
  EXPECT_EQ(count(rows.front().settings), 0);
  for (size_t i = 1; i + 1 < rows.size(); ++i) EXPECT_EQ(count(rows[i].settings), 1);
  EXPECT_EQ(count(rows.back().settings), 6);
}

TEST(Ablation, MeasuresBothAndSaysWhatWasRefused) {
  std::vector<int> cores = UsableCores();
  cores.resize(2, cores.front());
  const Ablation ablation(cores, 0.02);
  // A partition of all cores is always refused, and so is one where there is no cgroup.
  for (const IsolationSettings& settings :
       {IsolationSettings{}, {.locks_memory = true, .has_partition = true}}) {
    const auto result = ablation.Measure(settings, "/nowhere");
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_GT(result->feed.count(), 0u);
    EXPECT_GT(result->round_trip.count(), 0u);
    if (settings.has_partition) {
      EXPECT_THAT(result->refused, Contains(HasSubstr("partition: ")));
    }
  }
}

}  // namespace
}  // namespace tools
