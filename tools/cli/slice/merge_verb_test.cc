// `ticktape merge`, on real folders.

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/slice/testing/journals.h"
#include "tools/cli/testing/run_verb.h"

namespace tools {
namespace {

using ::testing::HasSubstr;

TEST(MergeVerbTest, TwoJournalsBecomeOneByTime) {
  const std::string a = WriteBusy("merge_a", 2000, 1);
  const std::string b = WriteBusy("merge_b", 2000, 2);
  const std::string out = At("merge_out");
  const VerbResult result =
      RunVerb(MakeMergeVerb(), {a, b, "--by", "time", "--accounts", "offset", "-o", out});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_THAT(result.output, HasSubstr("commands         3,996\n"));
  EXPECT_THAT(result.output, HasSubstr("left out         4 definitions"));
  EXPECT_THAT(Cat(out), HasSubstr("account=18"));
  EXPECT_THAT(Verify(out), HasSubstr("CLEAN"));
  // One after the other, time would run backwards.
  const VerbResult refused = RunVerb(MakeMergeVerb(), {a, b, "-o", At("merge_refused")});
  EXPECT_NE(refused.code, ExitCode::kOk);
  EXPECT_THAT(refused.error, HasSubstr("--by time puts them in order"));
}

}  // namespace
}  // namespace tools
