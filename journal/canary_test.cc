// Shows that the campaign notices every fault of testing/journal.faults. Switches on one fault
// after the other and runs the stage of the campaign that the fault names, in a process of its own;
// if that stage does not fail, the others. Prints which stage caught which fault. Compiled with the
// copies in faulty/, which have the faults, and not with the sources.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/testing/in_child.h"
#include "gtest/gtest.h"
#include "journal/faulty/faults.h"
#include "journal/faulty/journal/testing/campaign.h"

namespace journal {
namespace {

struct Stage {
  std::string name;
  std::function<std::string()> run;
};

std::string Seeds(uint64_t count, std::string (*stage)(uint64_t seed)) {
  for (uint64_t seed = 1; seed <= count; ++seed) {
    const std::string violation = stage(seed);
    if (!violation.empty()) return absl::StrCat("seed ", seed, ": ", violation);
  }
  return "";
}

// Each stage takes a sample of its cases.
const std::vector<Stage>& Stages() {
  static const std::vector<Stage> stages = {
      {"page", [] { return EveryPage({}); }},
      {"place", [] { return WrongPlaces(); }},
      {"moved", [] { return EveryMovedFolder(); }},
      {"taken", [] { return EveryTakenName(); }},
      {"parent", [] { return EveryNewFolder(); }},
      {"locks", [] { return EveryChangeIsLocked(); }},
      {"prunes", [] { return EveryPruneBesideAnother({.one_in = 11, .from = 4}); }},
      {"forged", [] { return Forgeries(); }},
      {"recovery", [] { return EveryCrashOfRecovery({.one_in = 3, .from = 1}); }},
      {"bit", [] { return EveryBit({.one_in = 397, .from = 5}); }},
      {"crash", [] { return EveryCrash({.one_in = 5, .from = 3}); }},
      {"call", [] { return EveryFailingCall({.one_in = 7, .from = 2}); }},
      {"compaction", [] { return EveryCrashOfCompaction({.one_in = 5, .from = 2}); }},
      {"compaction lie", [] { return Seeds(200, LyingDeviceOfCompaction); }},
      {"length", [] { return EveryLength({.one_in = 61, .from = 7}); }},
      {"sidecar", [] { return EverySidecar({.one_in = 101, .from = 0}); }},
      {"prefix", [] { return EveryPrefix({}); }},
      {"lie", [] { return Seeds(150, LyingDevice); }},
      {"random", [] { return Seeds(25, RandomHistory); }},
  };
  return stages;
}

TEST(Canary, NoStageFailsWithoutAFault) {
  fault_in_force = Fault::kNone;
  for (const Stage& stage : Stages()) EXPECT_EQ(engine::InChild(stage.run), "") << stage.name;
}

// Returns the violation that the first stage to notice reports; empty if none does. Runs the stage
// `expected` first.
std::string CaughtBy(const std::string& expected, std::string& stage_name) {
  std::vector<Stage> stages = Stages();
  std::stable_partition(stages.begin(), stages.end(),
                        [&](const Stage& stage) { return stage.name == expected; });
  for (const Stage& stage : stages) {
    stage_name = stage.name;
    const std::string caught = engine::InChild(stage.run);
    if (!caught.empty()) return caught;
  }
  stage_name = "-";
  return "";
}

// Each part has a quarter of the faults. Bazel runs it in a shard of its own.
constexpr size_t kParts = 4;
class Part : public ::testing::TestWithParam<size_t> {};

INSTANTIATE_TEST_SUITE_P(Canary, Part, ::testing::Range<size_t>(0, kParts));

TEST_P(Part, EveryFaultIsCaught) {
  std::cout << absl::StrFormat("\n%-24s  %-9s %s\n", "fault", "caught by", "violation");
  for (size_t i = GetParam(); i < std::size(kFaults); i += kParts) {
    const FaultText& fault = kFaults[i];
    fault_in_force = fault.fault;
    std::string stage;
    const std::string caught = CaughtBy(fault.noticed_by, stage);
    std::cout << absl::StrFormat("%-24s  %-9s %s\n", fault.name, stage, caught) << std::flush;
    EXPECT_FALSE(caught.empty()) << fault.name << ": " << fault.description
                                 << ", and no stage noticed";
    EXPECT_EQ(stage, fault.noticed_by) << fault.name << ": journal.faults names another stage";
  }
  fault_in_force = Fault::kNone;
}

}  // namespace
}  // namespace journal
