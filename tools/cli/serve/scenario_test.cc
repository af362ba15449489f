#include "tools/cli/serve/scenario.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/gateway/kalshi/faults.h"
#include "engine/gateway/kalshi/kalshi_gateway.h"
#include "gtest/gtest.h"
#include "tools/serve/venue_server.h"

namespace tools {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

using enum ScenarioUnit;

std::vector<std::string> LinesOf(absl::string_view text) {
  std::vector<std::string> lines;
  const auto steps = ParseScenario(text, "file");
  EXPECT_TRUE(steps.ok()) << steps.status();
  if (!steps.ok()) return lines;
  for (const ScenarioStep& step : *steps) lines.push_back(FormatStep(step));
  return lines;
}

TEST(ScenarioFile, StepsHaveATimeOrACount) {
  const auto steps = ParseScenario(
      "# a comment\n"
      "\n"
      "2.5\trate_limit_burst   count=20  # and another\r\n"
      "@1000 inject_seq_gap count=1 mode=reorder\n"
      "10 pause_exchange\n"
      "+0.25 resume_exchange\n"
      "trades=3 clear\n"
      "orders=4 clear\n"
      "connections=5 clear",
      "file");
  ASSERT_TRUE(steps.ok()) << steps.status();
  EXPECT_EQ(*steps,
            (std::vector<ScenarioStep>{
                {.moment = {.unit = kSeconds, .value = 5 * kSecond / 2},
                 .fault = "rate_limit_burst",
                 .parameters = "count=20"},
                {.moment = {.unit = kCommands, .value = 1000},
                 .fault = "inject_seq_gap",
                 .parameters = "count=1&mode=reorder"},
                {.moment = {.unit = kSeconds, .value = 10 * kSecond}, .fault = "pause_exchange"},
                {.moment = {.unit = kAfterStep, .value = kSecond / 4}, .fault = "resume_exchange"},
                {.moment = {.unit = kTrades, .value = 3}, .fault = "clear"},
                {.moment = {.unit = kOrders, .value = 4}, .fault = "clear"},
                {.moment = {.unit = kConnections, .value = 5}, .fault = "clear"}}));
}

TEST(ScenarioFile, AStepIsWrittenAsItIsRead) {
  for (const absl::string_view line :
       {"0 clear", "100 clear", "2.5 rate_limit_burst count=20", "+0.000000001 clear",
        "@1000 inject_seq_gap count=1 mode=reorder", "trades=3 clear", "orders=10 clear",
        "connections=5 clear"}) {
    EXPECT_EQ(LinesOf(line), (std::vector<std::string>{std::string(line)}));
  }
  EXPECT_EQ(LinesOf("1 close_market ticker=KX\v&"),
            (std::vector<std::string>{"1 close_market ticker=KX"}));
  EXPECT_EQ(LinesOf("1 inject_seq_gap  &count=1&&mode=skip &"),
            (std::vector<std::string>{"1 inject_seq_gap count=1 mode=skip"}));
}

TEST(ScenarioFile, MistakesNameTheLine) {
  const auto error = [](absl::string_view line) {
    return std::string(ParseScenario(absl::StrCat("1 clear\n", line), "file").status().message());
  };
  constexpr absl::string_view kMoments =
      "at most 31622400 seconds since the start, or +SECONDS, @COMMANDS, trades=N, orders=N or "
      "connections=N";
  EXPECT_EQ(error("soon clear"), absl::StrCat("file:2: found 'soon', expected ", kMoments));
  EXPECT_EQ(error("-1 clear"), absl::StrCat("file:2: found '-1', expected ", kMoments));
  EXPECT_EQ(error("31622400.1 clear"),
            absl::StrCat("file:2: found '31622400.1', expected ", kMoments));
  EXPECT_EQ(error("31622400 clear"), "");
  EXPECT_EQ(error("+x clear"), "file:2: found '+x', expected + and at most 31622400 seconds");
  EXPECT_EQ(error("@0 clear"),
            "file:2: found '@0', expected @ and a whole number from 1 to 9007199254740992");
  EXPECT_EQ(error("@x clear"),
            "file:2: found '@x', expected @ and a whole number from 1 to 9007199254740992");
  EXPECT_EQ(error("trades=1.5 clear"),
            "file:2: found 'trades=1.5', expected trades= and a whole number from 1 to "
            "9007199254740992");
  EXPECT_EQ(error("2"), "file:2: found no fault after the moment");
  EXPECT_EQ(error("0.5 clear"), "file:2: found 0.5 after 1, expected ascending moments");
  EXPECT_EQ(error("@5 clear\n2 clear\n@4 clear"),
            "file:4: found @4 after @5, expected ascending moments");
  EXPECT_EQ(error("+5 clear\n+4 clear"), "");
  EXPECT_TRUE(absl::StrContains(error("2 explode"),
                                "file:2: found 'explode', expected one of inject_delay, "));
  EXPECT_EQ(error("2 rate_limit_burst"),
            "file:2: rate_limit_burst: count: expected a whole number from 0 to 1000000");
  EXPECT_EQ(error("2 rate_limit_burst count=1 kind=all"),
            "file:2: rate_limit_burst: found the parameter 'kind', expected count");
  EXPECT_EQ(error("2 inject_seq_gap count=1 mode=lose"),
            "file:2: inject_seq_gap: mode: expected skip, repeat or reorder");
  EXPECT_TRUE(absl::IsInvalidArgument(ParseScenario(std::string(1000, '\0'), "f").status()));
}

TEST(ScenarioFile, ASeedDrawsMomentsAndSeeds) {
  constexpr absl::string_view kSteps =
      "2..5 clear\n"
      "@100..200 drop_connection count=1\n"
      "trades=10..20 half_open count=2 kind=http\n"
      "+1..3 half_open count=1 seed=5\n"
      "5 clear\n";
  const std::vector<std::string> lines = LinesOf(absl::StrCat("seed 7\n", kSteps));
  EXPECT_EQ(lines, (std::vector<std::string>{
                       "2.166081309 clear", "@117 drop_connection count=1 seed=6463351168572043",
                       "trades=14 half_open count=2 kind=http seed=8679873327312673",
                       "+1.931407378 half_open count=1 seed=5", "5 clear"}))
      << "the same on every machine";
  EXPECT_EQ(LinesOf(absl::StrCat("# first\n seed\t7\n", kSteps)), lines);
  EXPECT_NE(LinesOf(absl::StrCat("seed 8\n", kSteps)), lines);
  EXPECT_EQ(LinesOf("seed 18446744073709551615\n1..1 clear"),
            (std::vector<std::string>{"1 clear"}));
}

TEST(ScenarioFile, EveryValueOfARangeIsDrawn) {
  std::set<std::string> drawn;
  for (int seed = 0; seed < 100; ++seed) {
    drawn.insert(LinesOf(absl::StrCat("seed ", seed, "\norders=7..9 clear")).at(0));
  }
  EXPECT_EQ(drawn, (std::set<std::string>{"orders=7 clear", "orders=8 clear", "orders=9 clear"}));
}

TEST(ScenarioFile, MistakesOfSeedsAndRangesNameTheLine) {
  const auto error = [](absl::string_view text) {
    return std::string(ParseScenario(text, "file").status().message());
  };
  constexpr absl::string_view kOne = "file:2: found a seed, expected one at most, before all steps";
  EXPECT_EQ(error("seed 1\nseed 2"), kOne);
  EXPECT_EQ(error("1 clear\nseed 2"), kOne);
  for (const absl::string_view line : {"seed", "seed x", "seed -1", "seed 1 2"}) {
    EXPECT_EQ(error(line), "file:1: expected 'seed' and a whole number");
  }
  EXPECT_EQ(error("\n2..5 clear"),
            "file:2: found the range '2..5', expected a line 'seed N' before all steps");
  EXPECT_EQ(error("seed 1\n5..2 clear"), "file:2: found '5..2', expected the lower value first");
  EXPECT_EQ(error("seed 1\n2..5 clear\n4..6 clear"),
            "file:3: found 4 after 5, expected ascending moments");
  EXPECT_EQ(error("seed 1\n2..5 clear\n5 clear"), "");
  EXPECT_EQ(error("seed 1\ntrades=1.. clear"),
            "file:2: found 'trades=1..', expected trades= and a whole number from 1 to "
            "9007199254740992");
  const std::string zeros(980, '0');
  EXPECT_EQ(error(absl::StrCat("1 half_open count=", zeros)), "");
  EXPECT_EQ(error(absl::StrCat("seed 1\n1 half_open count=", zeros)),
            "file:2: half_open: expected at most 1000 bytes of parameters");
}

TEST(ScenarioFile, TheExampleIsAScriptOfEveryFault) {
  const std::string text = ExampleScenario();
  const auto steps = ParseScenario(text, "file");
  ASSERT_TRUE(steps.ok()) << steps.status();
  const std::span<const engine::KalshiFaultInfo> faults = engine::KalshiFaultList();
  ASSERT_EQ(steps->size(), faults.size());
  for (size_t i = 0; i < faults.size(); ++i) EXPECT_EQ(steps->at(i).fault, faults[i].name);
  // Its comments have a moment of every kind, which a step may begin with.
  for (const absl::string_view moment :
       {"2.5", "+2.5", "@1000", "trades=10", "orders=10", "connections=3"}) {
    EXPECT_TRUE(absl::StrContains(text, absl::StrCat("#   ", moment, " ")));
    EXPECT_EQ(LinesOf(absl::StrCat(moment, " clear")).size(), 1U);
  }
}

TEST(Scenario, StepsAreTakenInOrder) {
  Scenario scenario({{.moment = {.unit = kSeconds, .value = 10}, .fault = "a"},
                     {.moment = {.unit = kCommands, .value = 5}, .fault = "b"},
                     {.moment = {.unit = kSeconds, .value = 20}, .fault = "c"}});
  const VenueCounts four = {.commands = 4};
  const VenueCounts five = {.commands = 5};
  EXPECT_EQ(scenario.NanosUntilNext(3, 1000), 7);
  EXPECT_EQ(scenario.NanosUntilNext(3, 5), 5);
  EXPECT_EQ(scenario.Take(9, five), nullptr);
  EXPECT_EQ(scenario.Take(10, {})->fault, "a");
  EXPECT_EQ(scenario.NanosUntilNext(11, 1000), 1000);
  EXPECT_EQ(scenario.Take(30, four), nullptr);
  EXPECT_EQ(scenario.Take(30, five)->fault, "b");
  EXPECT_EQ(scenario.NanosUntilNext(30, 1000), 0);
  EXPECT_EQ(scenario.Take(30, five)->fault, "c");
  EXPECT_EQ(scenario.Take(40, five), nullptr);
  EXPECT_EQ(scenario.NanosUntilNext(40, 1000), 1000);
}

TEST(Scenario, WhatTheVenueCountsIsAMoment) {
  Scenario scenario({{.moment = {.unit = kTrades, .value = 2}, .fault = "a"},
                     {.moment = {.unit = kOrders, .value = 3}, .fault = "b"},
                     {.moment = {.unit = kConnections, .value = 4}, .fault = "c"}});
  const auto take = [&](const engine::KalshiCounts& counts) {
    const ScenarioStep* const step = scenario.Take(1'000, {.commands = 1'000, .kalshi = counts});
    return step == nullptr ? std::string() : step->fault;
  };
  EXPECT_EQ(take({.trades = 1, .orders = 9, .connections = 9}), "");
  EXPECT_EQ(take({.trades = 2}), "a");
  EXPECT_EQ(take({.trades = 9, .orders = 2, .connections = 9}), "");
  EXPECT_EQ(take({.orders = 3}), "b");
  EXPECT_EQ(take({.trades = 9, .orders = 9, .connections = 3}), "");
  EXPECT_EQ(take({.connections = 4}), "c");
}

TEST(Scenario, AStepMayWaitForTheOneBefore) {
  Scenario scenario({{.moment = {.unit = kAfterStep, .value = 5}, .fault = "a"},
                     {.moment = {.unit = kOrders, .value = 1}, .fault = "b"},
                     {.moment = {.unit = kAfterStep, .value = 10}, .fault = "c"},
                     {.moment = {.unit = kSeconds, .value = 0}, .fault = "d"}});
  EXPECT_EQ(scenario.NanosUntilNext(1, 1000), 4);
  EXPECT_EQ(scenario.Take(4, {}), nullptr);
  EXPECT_EQ(scenario.Take(6, {})->fault, "a");
  EXPECT_EQ(scenario.Take(50, {}), nullptr);
  EXPECT_EQ(scenario.Take(70, {.kalshi = {.orders = 1}})->fault, "b");
  EXPECT_EQ(scenario.NanosUntilNext(72, 1000), 8) << "after that step was taken";
  EXPECT_EQ(scenario.Take(79, {}), nullptr);
  EXPECT_EQ(scenario.Take(80, {})->fault, "c");
  EXPECT_EQ(scenario.NanosUntilNext(80, 1000), 0);
  EXPECT_EQ(scenario.Take(80, {})->fault, "d");
}

}  // namespace
}  // namespace tools
