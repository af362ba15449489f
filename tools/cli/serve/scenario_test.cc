#include "tools/cli/serve/scenario.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/gateway/kalshi/kalshi_gateway.h"
#include "gtest/gtest.h"
#include "tools/serve/venue_server.h"

namespace tools {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

using enum ScenarioUnit;

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
        "@1000 inject_seq_gap count=1&mode=reorder", "trades=3 clear", "orders=10 clear",
        "connections=5 clear"}) {
    const auto steps = ParseScenario(line, "file");
    ASSERT_TRUE(steps.ok()) << steps.status();
    EXPECT_EQ(FormatStep(steps->at(0)), line);
  }
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
