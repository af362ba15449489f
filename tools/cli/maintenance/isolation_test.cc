#include "tools/cli/maintenance/isolation.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tools {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Two cores of a machine on which nothing disturbs them.
IsolationFacts Quiet() {
  return {.isolated = "2-3",
          .tickless = "2-3",
          .no_callbacks = "2-3",
          .huge_pages = "madvise",
          .cores = {{.core = 2, .governor = "performance", .deepest = IdleState{"C1", 1}},
                    {.core = 3, .governor = "performance", .deepest = IdleState{"C1", 1}}}};
}

SpunCore QuietCore(int core) {
  return {.core = core,
          .hiccups = {.is_pinned = true, .nanos = 1'000'000'000, .pauses = {1'500, 3'000}},
          .before = {.timer_ticks = 100, .steal_ticks = 7},
          .after = {.timer_ticks = 101, .steal_ticks = 7}};
}

Diagnosis Find(const std::string& name, const IsolationFacts& facts,
               const std::vector<SpunCore>& spun = {QuietCore(2), QuietCore(3)}) {
  const std::vector<Diagnosis> all = ExamineIsolation(facts, spun);
  const auto found = std::ranges::find(all, name, &Diagnosis::name);
  return found == all.end() ? Diagnosis{} : *found;
}

TEST(Isolation, NothingIsToBeChangedOnAQuietMachine) {
  for (const Diagnosis& diagnosis : ExamineIsolation(Quiet(), {QuietCore(2), QuietCore(3)})) {
    EXPECT_EQ(diagnosis.health, Health::kGood) << diagnosis.name << ": " << diagnosis.value;
    EXPECT_THAT(diagnosis.changes, IsEmpty()) << diagnosis.name;
    EXPECT_THAT(diagnosis.value, Not(IsEmpty())) << diagnosis.name;
    EXPECT_THAT(diagnosis.meaning, Not(IsEmpty())) << diagnosis.name;
  }
}

TEST(Isolation, EachDisturbanceHasItsCostAndItsCommand) {
  struct Case {
    const char* name;
    void (*disturb)(IsolationFacts&);
    const char* value;
    const char* change;
  };
  const Case cases[] = {
      {"isolcpus", [](IsolationFacts& facts) { facts.isolated = "2"; }, "2",
       "isolcpus=domain,managed_irq,2,3"},
      {"nohz_full", [](IsolationFacts& facts) { facts.tickless.clear(); }, "none", "nohz_full=2,3"},
      {"rcu_nocbs",
       [](IsolationFacts& facts) {
         facts.no_callbacks.clear();
         facts.tickless.clear();
       },
       "none", "rcu_nocbs=2,3"},
      {"governor", [](IsolationFacts& facts) { facts.cores[1].governor = "powersave"; },
       "core 2: performance; core 3: powersave", "frequency-set -g performance"},
      {"idle states",
       [](IsolationFacts& facts) {
         facts.cores[0].deepest = IdleState{"C6", 133};
       },
       "core 2: to C6, left in 133 us", "idle-set -D 2"},
      {"SMT", [](IsolationFacts& facts) { facts.cores[0].siblings = {6}; }, "shared with 6",
       "smt/control"},
      {"huge pages", [](IsolationFacts& facts) { facts.huge_pages = "never"; }, "never",
       "echo madvise"},
      {"interrupts",
       [](IsolationFacts& facts) {
         facts.cores[1].interrupts = {"24", "25"};
       },
       "core 3: 24,25", "smp_affinity_list"},
  };
  for (const Case& each : cases) {
    IsolationFacts facts = Quiet();
    each.disturb(facts);
    const Diagnosis diagnosis = Find(each.name, facts);
    EXPECT_EQ(diagnosis.health, Health::kFair) << each.name;
    EXPECT_THAT(diagnosis.value, HasSubstr(each.value)) << each.name;
    EXPECT_THAT(diagnosis.changes, Contains(HasSubstr(each.change))) << each.name;
  }
}

TEST(Isolation, WhatTheSystemDoesNotShowIsNoFault) {
  IsolationFacts facts = Quiet();
  for (CoreFacts& core : facts.cores) {
    core.governor.clear();
    core.deepest.reset();
  }
  SpunCore spun = QuietCore(2);
  spun.before = spun.after = {};
  EXPECT_EQ(Find("governor", facts).health, Health::kGood);
  EXPECT_EQ(Find("idle states", facts).value, "not shown");
  EXPECT_EQ(Find("steal time", facts, {spun}).value, "not shown");
  EXPECT_EQ(Find("nohz_full", facts, {spun}).value, "2-3");
}

TEST(Isolation, TicksAndStealAreThoseOfTheMeasurement) {
  SpunCore spun = QuietCore(3);
  spun.after = {.timer_ticks = 350, .steal_ticks = 12};
  const Diagnosis ticks = Find("nohz_full", Quiet(), {QuietCore(2), spun});
  EXPECT_EQ(ticks.health, Health::kFair) << "its list has it, but it is not tickless";
  EXPECT_EQ(ticks.value, "2-3, 250 timer ticks a second");
  const Diagnosis steal = Find("steal time", Quiet(), {QuietCore(2), spun});
  EXPECT_EQ(steal.health, Health::kBad);
  EXPECT_EQ(steal.value, "5.0 %");
}

TEST(Isolation, PausesAreSummedUp) {
  SpunCore spun = QuietCore(2);
  spun.hiccups.pauses.assign(20, 4'000);
  spun.hiccups.pauses.push_back(3'000'000);
  const Diagnosis diagnosis = Find("core 2", Quiet(), {spun});
  EXPECT_EQ(diagnosis.health, Health::kFair);
  EXPECT_THAT(diagnosis.value, HasSubstr("21 pauses over 1 us in"));
  EXPECT_THAT(diagnosis.value, HasSubstr("the longest 3.0 ms"));
  EXPECT_THAT(diagnosis.meaning, HasSubstr("once a second up to 3.0 ms, ten times 4.0 us"));
  spun.hiccups.is_pinned = false;
  EXPECT_EQ(Find("core 2", Quiet(), {spun}).health, Health::kBad);
}

}  // namespace
}  // namespace tools
