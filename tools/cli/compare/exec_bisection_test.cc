#include "tools/cli/compare/exec_bisection.h"

#include <cstdlib>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tools {
namespace {

using ::testing::HasSubstr;

ExecBisection::Try BadFrom(uint64_t first) {
  return [first](uint64_t count) { return count >= first; };
}

TEST(ExecBisectionTest, FindsTheFirstBadPrefix) {
  for (uint64_t first = 1; first <= 50; ++first) {
    ExecBisection bisection(BadFrom(first), "");
    EXPECT_EQ(**bisection.FirstBad(50, false), first);
  }
}

TEST(ExecBisectionTest, NothingIsFoundWhereAllIsGood) {
  ExecBisection bisection(BadFrom(99), "");
  EXPECT_FALSE((*bisection.FirstBad(50, false)).has_value());
  EXPECT_EQ(bisection.steps().size(), 1u);
}

TEST(ExecBisectionTest, WhatTurnsBackIsRefusedUnlessAllIsTried) {
  const auto turns_back = [](uint64_t count) {
    return (count >= 10 && count < 20) || count >= 900;
  };
  const auto sometimes = [](uint64_t count) { return count % 2 == 0; };
  ExecBisection halving(sometimes, "");
  const auto refused = halving.FirstBad(1000, false);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(std::string(refused.status().message()), HasSubstr("--exhaustive"));
  ExecBisection exhaustive(turns_back, "");
  EXPECT_EQ(**exhaustive.FirstBad(1000, true), 10u);
}

TEST(ExecBisectionTest, WhatWasTriedIsRemembered) {
  const std::string memory = std::string(std::getenv("TEST_TMPDIR")) + "/memory";
  ExecBisection once(BadFrom(33), memory);
  EXPECT_EQ(**once.FirstBad(64, false), 33u);
  ExecBisection twice(
      [](uint64_t) {
        ADD_FAILURE() << "tried again";
        return false;
      },
      memory);
  EXPECT_EQ(**twice.FirstBad(64, false), 33u);
}

TEST(ExecBisectionTest, OneThatCannotSayEndsIt) {
  ExecBisection bisection([](uint64_t) { return absl::CancelledError("cannot say"); }, "");
  EXPECT_TRUE(absl::IsCancelled(bisection.FirstBad(50, false).status()));
}

}  // namespace
}  // namespace tools
