#include "tools/cli/serve/scenario.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace tools {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

TEST(ScenarioFile, StepsHaveATimeOrACount) {
  const auto steps = ParseScenario(
      "# a comment\n"
      "\n"
      "2.5\trate_limit_burst   count=20  # and another\r\n"
      "@1000 inject_seq_gap count=1 mode=reorder\n"
      "10 pause_exchange",
      "file");
  ASSERT_TRUE(steps.ok()) << steps.status();
  EXPECT_EQ(
      *steps,
      (std::vector<ScenarioStep>{
          {.after_nanos = 5 * kSecond / 2, .fault = "rate_limit_burst", .parameters = "count=20"},
          {.after_commands = 1000, .fault = "inject_seq_gap", .parameters = "count=1&mode=reorder"},
          {.after_nanos = 10 * kSecond, .fault = "pause_exchange"}}));
}

TEST(ScenarioFile, MistakesNameTheLine) {
  const auto error = [](absl::string_view line) {
    return std::string(ParseScenario(absl::StrCat("1 clear\n", line), "file").status().message());
  };
  EXPECT_EQ(error("soon clear"), "file:2: found 'soon', expected seconds since the start");
  EXPECT_EQ(error("-1 clear"), "file:2: found '-1', expected seconds since the start");
  EXPECT_EQ(error("99999999 clear"), "file:2: found '99999999', expected seconds since the start");
  EXPECT_EQ(error("@0 clear"), "file:2: found '@0', expected @ and a number of commands");
  EXPECT_EQ(error("@x clear"), "file:2: found '@x', expected @ and a number of commands");
  EXPECT_EQ(error("2"), "file:2: found no fault after the time");
  EXPECT_EQ(error("0.5 clear"),
            "file:2: found a time before that of a step above, expected ascending times");
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
  Scenario scenario({{.after_nanos = 10, .fault = "a"},
                     {.after_commands = 5, .fault = "b"},
                     {.after_nanos = 20, .fault = "c"}});
  EXPECT_EQ(scenario.NanosUntilNext(3, 1000), 7);
  EXPECT_EQ(scenario.NanosUntilNext(3, 5), 5);
  EXPECT_EQ(scenario.Take(9, 100), nullptr);
  EXPECT_EQ(scenario.Take(10, 0)->fault, "a");
  EXPECT_EQ(scenario.NanosUntilNext(11, 1000), 1000);
  EXPECT_EQ(scenario.Take(30, 4), nullptr);
  EXPECT_EQ(scenario.Take(30, 5)->fault, "b");
  EXPECT_EQ(scenario.NanosUntilNext(30, 1000), 0);
  EXPECT_EQ(scenario.Take(30, 5)->fault, "c");
  EXPECT_EQ(scenario.Take(40, 5), nullptr);
  EXPECT_EQ(scenario.NanosUntilNext(40, 1000), 1000);
}

}  // namespace
}  // namespace tools
