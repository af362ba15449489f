#include "tools/cli/compare/line_diff.h"

#include <vector>

#include "gtest/gtest.h"

namespace tools {
namespace {

using Differences = std::vector<WordDifference>;

TEST(LineDiff, NamesTheWordsThatDiffer) {
  EXPECT_EQ(DifferingWords("7 2020-01-30T09:30:06Z bid market=AAPL price=320.15 quantity=5",
                           "7 2020-01-30T09:30:07Z ask market=AAPL price=320.10 quantity=5"),
            (Differences{{"time", "2020-01-30T09:30:06Z", "2020-01-30T09:30:07Z"},
                         {"kind", "bid", "ask"},
                         {"price", "320.15", "320.10"}}));
  EXPECT_EQ(DifferingWords("7.0 accepted order=7 quantity=5", "7.0 accepted order=7 account=3"),
            (Differences{{"quantity", "5", "(none)"}, {"account", "(none)", "3"}}));
}

TEST(LineDiff, IsEmptyForEqualLinesAndForThoseOfAnotherForm) {
  EXPECT_EQ(DifferingWords("7 t bid a=1", "7 t bid a=1"), Differences());
  EXPECT_EQ(DifferingWords(R"({"sequence":7})", R"({"sequence":8})"), Differences());
  EXPECT_EQ(DifferingWords("7 t bid", "(nothing)"), Differences());
  EXPECT_EQ(DifferingWords("", ""), Differences());
}

}  // namespace
}  // namespace tools
