#include "tools/cli/feed/line_addresses.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/feed/live_feed.h"

namespace tools {
namespace {

using ::testing::HasSubstr;

TEST(LineAddresses, AreOneOrTwo) {
  const auto one = ParseLines({"A=127.0.0.1:26400"}).value();
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].endpoint.ToString(), "127.0.0.1:26400");
  EXPECT_EQ(one[0].interface, "");
  const auto two = ParseLines({"B=233.252.0.2:26400@10.0.0.1", "A=233.252.0.1:26400@eth0"}).value();
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[0].endpoint.ToString(), "233.252.0.1:26400");
  EXPECT_EQ(two[0].interface, "eth0");
  EXPECT_EQ(two[1].interface, "10.0.0.1");
}

TEST(LineAddresses, AnErrorSaysWhatIsExpected) {
  const struct {
    std::vector<std::string> words;
    std::string message;
  } cases[] = {
      {{}, "there is no line A"},
      {{"B=127.0.0.1:1"}, "there is no line A"},
      {{"A=127.0.0.1:1", "A=127.0.0.1:2"}, "line A is named twice"},
      {{"C=127.0.0.1:1"}, "'C=127.0.0.1:1' is no line"},
      {{"127.0.0.1:1"}, "is no line"},
      {{""}, "'' is no line"},
      {{"A="}, "expected"},
      {{"A=nowhere.example:1"}, "expected"},
      {{"A=unix:/tmp/x"}, "no address of UDP"},
  };
  for (const auto& [words, message] : cases) {
    const absl::Status status = ParseLines(words).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(status.message(), HasSubstr(message));
  }
}

}  // namespace
}  // namespace tools
