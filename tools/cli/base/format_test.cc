#include "tools/cli/base/format.h"

#include "gtest/gtest.h"

namespace tools {
namespace {

TEST(Format, Commas) {
  EXPECT_EQ(WithCommas(0), "0");
  EXPECT_EQ(WithCommas(999), "999");
  EXPECT_EQ(WithCommas(1000), "1,000");
  EXPECT_EQ(WithCommas(291913), "291,913");
  EXPECT_EQ(WithCommas(UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(Format, Counts) {
  EXPECT_EQ(HumanCount(0), "0");
  EXPECT_EQ(HumanCount(999), "999");
  EXPECT_EQ(HumanCount(1000), "1 k");
  EXPECT_EQ(HumanCount(12'345'678), "12.3 M");
}

TEST(Format, Nouns) {
  EXPECT_EQ(Counted(0, "command"), "0 commands");
  EXPECT_EQ(Counted(1, "command"), "1 command");
  EXPECT_EQ(Counted(1200, "command"), "1,200 commands");
  EXPECT_EQ(Counted(1, "entry"), "1 entry");
  EXPECT_EQ(Counted(2, "entry"), "2 entries");
}

TEST(Format, Bytes) {
  EXPECT_EQ(HumanBytes(1), "1 byte");
  EXPECT_EQ(HumanBytes(17), "17 bytes");
  EXPECT_EQ(HumanBytes(8687026), "8.3 MiB");
  EXPECT_EQ(HumanBytes(UINT64_MAX), "16384.0 PiB");
}

TEST(Format, Seconds) {
  EXPECT_EQ(HumanSeconds(0.0000123), "12.3 us");
  EXPECT_EQ(HumanSeconds(0.0123), "12.3 ms");
  EXPECT_EQ(HumanSeconds(75), "75.0 s");
  EXPECT_EQ(HumanSeconds(119.9), "119.9 s");
  EXPECT_EQ(HumanSeconds(120), "2 min 0 s");
  EXPECT_EQ(HumanSeconds(3599.6), "1 h 0 min 0 s");
  EXPECT_EQ(HumanSeconds(22959.1), "6 h 22 min 39 s");
  EXPECT_EQ(HumanSeconds(86400 * 31 + 3660), "31 d 1 h 1 min");
  EXPECT_EQ(HumanSeconds(1e300).back(), 's') << "no whole number";
}

}  // namespace
}  // namespace tools
