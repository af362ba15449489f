#include "journal/format/control_file.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "journal/testing/memory_storage.h"

namespace journal {
namespace {

constexpr char kTitle[] = "ticktape example 1";

ControlFile Example() {
  ControlFile file(kTitle);
  file.Set("sequence", "123457");
  file.Set("note", "two words\nand a second line");
  file.Set("empty", "");
  return file;
}

TEST(ControlFile, IsReadBackAsItWasWritten) {
  MemoryDirectory directory;
  ASSERT_TRUE(WriteControlFile(directory, "example", Example()).ok());
  const ControlFile read = ReadControlFile(directory, "example", kTitle).value();
  EXPECT_EQ(read, Example());
  EXPECT_EQ(read.GetNumber("sequence").value(), 123457u);
  EXPECT_EQ(read.Get("note").value(), "two words and a second line");
  EXPECT_EQ(read.Get("empty").value(), "");
  EXPECT_TRUE(absl::IsDataLoss(read.Get("other").status()));
  EXPECT_TRUE(absl::IsDataLoss(read.GetNumber("note").status()));
}

TEST(ControlFile, IsReadableText) {
  EXPECT_EQ(Example().ToString().substr(0, 35), "ticktape example 1\nsequence 123457\n");
}

TEST(ControlFile, NoFlippedBitAndNoOtherLengthIsAccepted) {
  const std::string text = Example().ToString();
  for (size_t i = 0; i < text.size() * 8; ++i) {
    std::string flipped = text;
    flipped[i / 8] = static_cast<char>(flipped[i / 8] ^ (1 << i % 8));
    EXPECT_TRUE(absl::IsDataLoss(ControlFile::Parse(flipped, kTitle).status())) << i;
  }
  for (size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(ControlFile::Parse(text.substr(0, length), kTitle).ok()) << length;
  }
  EXPECT_FALSE(ControlFile::Parse(text + "\n", kTitle).ok());
  EXPECT_FALSE(ControlFile::Parse(text + text, kTitle).ok());
  EXPECT_FALSE(ControlFile::Parse(text, "ticktape example 2").ok());
}

TEST(ControlFile, ReplacesTheOneBeforeOrLeavesIt) {
  MemoryDirectory directory;
  ASSERT_TRUE(WriteControlFile(directory, "example", Example()).ok());
  directory.SetContents("example.tmp", std::vector<std::byte>(3));
  ControlFile second(kTitle);
  ASSERT_TRUE(WriteControlFile(directory, "example", second).ok());
  directory.CrashDroppingAll();
  EXPECT_EQ(ReadControlFile(directory, "example", kTitle).value(), second);
}

TEST(ControlFile, HasAnUpperLength) {
  MemoryDirectory directory;
  ControlFile file(kTitle);
  file.Set("note", std::string(5000, 'x'));
  EXPECT_TRUE(absl::IsInvalidArgument(WriteControlFile(directory, "example", file)));
}

}  // namespace
}  // namespace journal
