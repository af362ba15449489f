#include "tools/cli/golden/expectation.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "engine/base/digest.h"
#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "journal/digest_sidecar.h"
#include "tools/cli/base/files.h"

namespace tools {
namespace {

using ::testing::HasSubstr;
using ::testing::TempDir;

journal::Checkpoint At(uint64_t sequence) {
  return {.sequence = engine::SequenceNumber(sequence),
          .log = engine::Digest{.low = sequence, .high = 1},
          .trace = engine::Digest{.low = sequence, .high = 2},
          .state = engine::Digest{.low = sequence, .high = 3}};
}

Expectation Whole() {
  return {.name = "opening",
          .journal = "../opening",
          .engine = "reference",
          .history = {"2026-11-20 added: the opening: as it was", "2026-11-21 updated: again"},
          .results = {
              .semantics_version = 2,
              .output_count = 2,
              .checkpoints = {At(64), At(70)},
              .marks = std::vector<uint16_t>(70, 0x0a1b),
              .outputs = std::vector<std::string>{"1.0 market_defined market=A", "2.0 rejected"}}};
}

TEST(ExpectationTest, WhatIsWrittenIsRead) {
  const auto parsed = ParseExpectation(FormatExpectation(Whole()));
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(*parsed, Whole());
}

TEST(ExpectationTest, WithoutMarksAndEventsItIsReadToo) {
  Expectation small = Whole();
  small.results.marks.clear();
  small.results.outputs.reset();
  small.journal.clear();
  const auto parsed = ParseExpectation(FormatExpectation(small));
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(*parsed, small);
}

TEST(ExpectationTest, APlayOfNoCommandsIsReadToo) {
  const Expectation empty = {.name = "empty"};
  EXPECT_EQ(*ParseExpectation(FormatExpectation(empty)), empty);
}

TEST(ExpectationTest, ALaterVersionIsNotReadWrongly) {
  const auto parsed = ParseExpectation("ticktape golden 2\nname x\n");
  EXPECT_EQ(parsed.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(parsed.status().message()), HasSubstr("version 2"));
}

TEST(ExpectationTest, WhatIsMalformedIsNamedWithItsLine) {
  const std::string text = FormatExpectation(Whole());
  const struct {
    const char* from;
    const char* to;
    const char* message;
  } kCases[] = {
      {"ticktape golden 1", "something else", "line 1: expected 'ticktape golden 1'"},
      {"commands 70", "commands many", "line 7: 'commands many'"},
      {"commands 70", "comands 70", "there is no field 'comands'"},
      {"commands 70", "commands 71", "the last checkpoint is at 70; expected 71"},
      {"events 2\n", "events 3\n", "there are 2 events; expected 3"},
      {"\nhistory\n", "\nhistroy\n", "there is no section 'histroy'"},
      {"again", "", "expected a date"},
      {"\n64 ", "\n640 ", "expected a later sequence number"},
      {"\n65 0a1b", "\n66 0a1b", "expected the marks of the commands from 65 on"},
      {"\n65 0a1b", "\n65 0a1g", "expected the marks"},
      {"\n65 0a1b", "\n65 ", "there are 69 marks; expected 70"},
      {"semantics 2", "semantics 99999999999", "there is no field 'semantics'"},
  };
  for (const auto& each : kCases) {
    const std::string bad = absl::StrReplaceAll(text, {{each.from, each.to}});
    ASSERT_NE(bad, text) << each.from;
    const auto parsed = ParseExpectation(bad);
    EXPECT_EQ(parsed.status().code(), absl::StatusCode::kDataLoss) << each.to;
    EXPECT_THAT(std::string(parsed.status().message()), HasSubstr(each.message)) << each.to;
  }
}

TEST(ExpectationTest, NoCutAndNoFlippedByteIsMoreThanAnError) {
  const std::string text = FormatExpectation(Whole());
  for (size_t length = 0; length < text.size(); ++length) {
    (void)ParseExpectation(text.substr(0, length));
  }
  engine::Prng prng(7);
  for (int i = 0; i < 2000; ++i) {
    std::string damaged = text;
    damaged[prng.Below(damaged.size())] = static_cast<char>(prng.Below(256));
    (void)ParseExpectation(damaged);
  }
}

TEST(ExpectationTest, AFileIsReplacedOnlyWhereThatIsMeant) {
  const std::string path = absl::StrCat(TempDir(), "/replaced.golden");
  ASSERT_TRUE(WriteFile(path, FormatExpectation(Whole()), /*replace=*/true).ok());
  EXPECT_EQ(WriteFile(path, FormatExpectation({.name = "other"}), /*replace=*/false).code(),
            absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(*ReadExpectation(path), Whole());
  EXPECT_EQ(ReadExpectation(path + ".none").status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace tools
