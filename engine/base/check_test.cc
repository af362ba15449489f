#include "engine/base/check.h"

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace {

TEST(Check, PassesSilentlyAndEvaluatesOnce) {
  int evaluations = 0;
  CHECK(++evaluations == 1) << "not reached";
  CHECK_EQ(evaluations, 1);
  CHECK_OK(absl::OkStatus());
}

TEST(CheckDeathTest, PrintsTheConditionAndThePlace) {
  EXPECT_DEATH(CHECK(1 > 2) << "level " << 7, "check_test.cc:.*CHECK failed: 1 > 2 level 7");
  EXPECT_DEATH(CHECK_EQ(1, 2) << "sequence", "\\(1 vs 2\\) sequence");
  EXPECT_DEATH(CHECK_OK(absl::DataLossError("block 7")), "DATA_LOSS: block 7");
}

TEST(Check, IsAnExpressionThatNestsInAnIfWithoutBraces) {
  bool other_branch = false;
  if (false)
    CHECK(false);
  else
    other_branch = true;
  EXPECT_TRUE(other_branch);
}

}  // namespace
