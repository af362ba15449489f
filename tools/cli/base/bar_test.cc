#include <cstdint>

#include "gtest/gtest.h"
#include "tools/cli/base/format.h"

namespace tools {
namespace {

TEST(BarTest, IsNeverNothingForSomething) {
  EXPECT_EQ(Bar(0, 10, 4), "");
  EXPECT_EQ(Bar(1, 1'000'000, 4), "▏");
  EXPECT_EQ(Bar(5, 10, 4), "██");
  EXPECT_EQ(Bar(10, 10, 4), "████");
  EXPECT_EQ(Bar(UINT64_MAX, UINT64_MAX, 4), "████");
}

}  // namespace
}  // namespace tools
