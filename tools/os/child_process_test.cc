#include "tools/os/child_process.h"

#include <array>
#include <span>
#include <string>

#include "engine/base/bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tools {
namespace {

using ::testing::HasSubstr;

TEST(ChildProcessTest, EchoesItsInput) {
  const auto child = ChildProcess::Start({"cat"});
  ASSERT_TRUE(child.ok()) << child.status().message();
  ASSERT_TRUE((*child)->Write(engine::AsBytes("hello")).ok());
  std::array<std::byte, 5> bytes = {};
  size_t have = 0;
  while (have < bytes.size()) {
    const auto got = (*child)->Read(std::span(bytes).subspan(have));
    ASSERT_TRUE(got.ok());
    have += *got;
  }
  EXPECT_EQ(engine::AsText(bytes), "hello");
  EXPECT_EQ((*child)->Wait(), 0);
}

TEST(ChildProcessTest, OneThatIsKilledLeavesItsLastWords) {
  const auto child = ChildProcess::Start({"sh", "-c", "echo broken >&2; kill -ABRT $$"});
  ASSERT_TRUE(child.ok());
  std::array<std::byte, 8> bytes = {};
  const auto got = (*child)->Read(bytes);
  EXPECT_TRUE(absl::IsAborted(got.status()));
  EXPECT_THAT(std::string(got.status().message()),
              HasSubstr("killed by signal 6 (Aborted): broken"));
}

TEST(ChildProcessTest, OneThatHasEndedDoesNotEndItsParent) {
  const auto child = ChildProcess::Start({"true"});
  ASSERT_TRUE(child.ok());
  std::array<std::byte, 8> bytes = {};
  EXPECT_EQ(*(*child)->Read(bytes), 0u);
  EXPECT_TRUE(absl::IsAborted((*child)->Write(engine::AsBytes("anyone there?"))));
}

TEST(ChildProcessTest, AMissingProgramIsNotStarted) {
  const auto child = ChildProcess::Start({"/no/such/program"});
  EXPECT_TRUE(absl::IsNotFound(child.status()));
  EXPECT_THAT(std::string(child.status().message()), HasSubstr("/no/such/program"));
}

TEST(ChildProcessTest, ItsExitCodeIsReported) {
  const auto child = ChildProcess::Start({"sh", "-c", "exit 3"});
  ASSERT_TRUE(child.ok());
  EXPECT_EQ((*child)->Wait(), 3);
  EXPECT_EQ(DescribeExit(3), "exit code 3");
}

}  // namespace
}  // namespace tools
