#include "tools/cli/record/chunk_lines.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "gtest/gtest.h"
#include "rapidcheck.h"
#include "rapidcheck/gtest.h"

namespace tools {
namespace {

void AddTo(std::vector<std::string>& taken, ChunkLines& lines, absl::string_view chunk) {
  lines.Add(engine::AsBytes(chunk));
  while (const auto line = lines.Next()) taken.emplace_back(*line);
}

std::vector<std::string> LinesOf(const std::vector<std::string>& chunks) {
  ChunkLines lines(1000);
  std::vector<std::string> taken;
  for (const std::string& chunk : chunks) AddTo(taken, lines, chunk);
  AddTo(taken, lines, "");
  EXPECT_EQ(lines.number(), taken.size());
  EXPECT_FALSE(lines.is_too_long());
  return taken;
}

using Strings = std::vector<std::string>;

TEST(ChunkLinesTest, EndsAreCutOff) {
  EXPECT_EQ(LinesOf({"a\nb\r\n\nc"}), Strings({"a", "b", "", "c"}));
  EXPECT_EQ(LinesOf({"a\n"}), Strings({"a"}));
  EXPECT_EQ(LinesOf({"a\r", "\nb"}), Strings({"a", "b"}));
  EXPECT_EQ(LinesOf({"a", "b", "\n", "\n"}), Strings({"ab", ""}));
  EXPECT_EQ(LinesOf({}), Strings());
}

TEST(ChunkLinesTest, ALineOfMoreThanTheLimitEndsTheText) {
  for (const absl::string_view long_line : {"12345\n6\n", "12345"}) {
    ChunkLines lines(4);
    Strings taken;
    AddTo(taken, lines, "1234\n");
    AddTo(taken, lines, long_line);
    EXPECT_TRUE(lines.is_too_long());
    AddTo(taken, lines, "\n7\n");
    EXPECT_EQ(taken, Strings({"1234"}));
    EXPECT_EQ(lines.number(), 1u);
  }
}

RC_GTEST_PROP(ChunkLines, LinesDoNotDependOnTheChunks, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::element('a', 'b', '\n', '\r'));
  Strings chunks;
  for (absl::string_view rest = text; !rest.empty();) {
    const auto size = *rc::gen::inRange<size_t>(1, 5);
    chunks.emplace_back(rest.substr(0, size));
    rest.remove_prefix(std::min(size, rest.size()));
  }
  Strings expected = absl::StrSplit(text, '\n');
  if (expected.back().empty()) expected.pop_back();
  for (std::string& line : expected) {
    if (line.ends_with('\r')) line.pop_back();
  }
  RC_ASSERT(LinesOf(chunks) == expected);
}

}  // namespace
}  // namespace tools
