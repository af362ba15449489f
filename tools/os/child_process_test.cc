#include "tools/os/child_process.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <span>
#include <string>

#include "absl/status/status.h"
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

// Reads until it ends or fails, and says how long that took.
absl::Status ReadAllWithin(const std::string& script, std::chrono::milliseconds patience) {
  const auto child = ChildProcess::Start({"sh", "-c", script});
  if (!child.ok()) return child.status();
  (*child)->SetPatience(patience);
  std::array<std::byte, 4096> bytes = {};
  while (true) {
    const auto got = (*child)->Read(bytes);
    if (!got.ok() || *got == 0) return got.status();
  }
}

TEST(ChildProcessTest, PatienceEnds) {
  using std::chrono::milliseconds;
  const auto began = std::chrono::steady_clock::now();
  for (const char* const endless :
       {"sleep 60", "while sleep 0.01; do echo more; done", "exec yes", "exec >&-; sleep 60"}) {
    const absl::Status status = ReadAllWithin(endless, milliseconds(200));
    EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << endless << ": " << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("sh does not answer"));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(30));
  EXPECT_TRUE(ReadAllWithin("echo one; echo two", std::chrono::minutes(1)).ok());
  EXPECT_THAT(std::string(ReadAllWithin("echo one; exit 3", std::chrono::minutes(1)).message()),
              HasSubstr("exit code 3"));
}

TEST(ChildProcessTest, AProgramIsReplaced) {
  EXPECT_EXIT((void)ReplaceProgram({"sh", "-c", "echo replaced >&2; exit 7"}),
              ::testing::ExitedWithCode(7), "replaced");
  const absl::Status status = ReplaceProgram({"/no/such/program"});
  EXPECT_TRUE(absl::IsNotFound(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("/no/such/program cannot be started"));
}

}  // namespace
}  // namespace tools
