#include "engine/workload/catalogue.h"

#include <span>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "engine/base/digest.h"
#include "engine/messages/command.h"
#include "engine/workload/workload.h"
#include "gtest/gtest.h"

namespace bench {
namespace {

std::string DigestOfCommands(const Workload& workload) {
  return engine::DigestOf(std::as_bytes(std::span(workload.commands))).ToString();
}

Workload Make(absl::string_view name, uint32_t seed = 1) {
  absl::StatusOr<Workload> workload = MakeWorkload(name, seed, WorkloadSize::kSmoke);
  EXPECT_TRUE(workload.ok()) << workload.status();
  return *std::move(workload);
}

TEST(Catalogue, EveryWorkloadIsAFunctionOfItsSeed) {
  for (const WorkloadEntry& entry : Workloads()) {
    EXPECT_EQ(DigestOfCommands(Make(entry.name)), DigestOfCommands(Make(entry.name))) << entry.name;
    const bool has_chance = entry.name != "sweep_1" &&
                            !absl::StartsWith(entry.name, "nasdaq_open") &&
                            !absl::StartsWith(entry.name, "queue");
    if (has_chance) {
      EXPECT_NE(DigestOfCommands(Make(entry.name, 1)), DigestOfCommands(Make(entry.name, 2)))
          << entry.name;
    }
  }
}

TEST(Catalogue, CommandsAreNumberedAndTimeDoesNotGoBack) {
  for (const WorkloadEntry& entry : Workloads()) {
    const Workload workload = Make(entry.name);
    EXPECT_EQ(workload.name, entry.name);
    ASSERT_GT(workload.commands.size(), workload.warm_up_count) << entry.name;
    for (size_t i = 0; i < workload.commands.size(); ++i) {
      ASSERT_EQ(workload.commands[i].sequence.value(), i + 1) << entry.name;
      if (i > 0) {
        ASSERT_GE(workload.commands[i].timestamp, workload.commands[i - 1].timestamp) << entry.name;
      }
    }
  }
}

TEST(Catalogue, UnknownNameListsTheNames) {
  const absl::StatusOr<Workload> workload = MakeWorkload("nonsense", 1, WorkloadSize::kSmoke);
  ASSERT_FALSE(workload.ok());
  EXPECT_NE(workload.status().message().find("'nonsense'; expected one of static, normal"),
            absl::string_view::npos)
      << workload.status();
}

}  // namespace
}  // namespace bench
