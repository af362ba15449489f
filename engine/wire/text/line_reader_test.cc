#include "engine/wire/text/line_reader.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
// After gtest, which it needs.
#include "rapidcheck/gtest.h"

namespace engine {
namespace {

constexpr char kTooLong[] = "<too long>";

std::vector<std::string> Lines(const std::string& stream, size_t chunk_bytes = SIZE_MAX,
                               size_t line_bytes_max = kTextLineBytesMax) {
  std::vector<std::string> lines;
  LineReader reader(line_bytes_max);
  TextLine line;
  const auto keep = [&] {
    lines.emplace_back(line.is_too_long ? absl::string_view(kTooLong) : line.text);
    EXPECT_EQ(line.number, lines.size());
  };
  for (size_t at = 0; at < stream.size();) {
    const std::string chunk = stream.substr(at, chunk_bytes);
    at += chunk.size();
    reader.Feed(AsBytes(chunk));
    while (reader.Next(line)) keep();
  }
  if (reader.Finish(line)) keep();
  EXPECT_FALSE(reader.Finish(line));
  return lines;
}

using Strings = std::vector<std::string>;

TEST(LineReader, SplitsAtLineFeeds) {
  for (const size_t chunk_bytes : {1, 2, 3, 100}) {
    EXPECT_EQ(Lines("a\nbc\n\nd\n", chunk_bytes), (Strings{"a", "bc", "", "d"}));
  }
}

TEST(LineReader, TheLastLineNeedsNoEnding) {
  for (const size_t chunk_bytes : {1, 2, 3, 100}) {
    EXPECT_EQ(Lines("a\nbc", chunk_bytes), (Strings{"a", "bc"}));
    EXPECT_EQ(Lines("bc\r", chunk_bytes), (Strings{"bc"}));
  }
  EXPECT_EQ(Lines(""), Strings{});
}

TEST(LineReader, ACarriageReturnBelongsToTheEndingOnly) {
  for (const size_t chunk_bytes : {1, 2, 3, 100}) {
    EXPECT_EQ(Lines("a\r\n\r\nb\rc\n\r\r\n", chunk_bytes), (Strings{"a", "", "b\rc", "\r"}));
  }
}

TEST(LineReader, TheLongestLineIsWholeAndOneByteMoreIsTooLong) {
  const std::string longest(kTextLineBytesMax, 'x');
  for (const size_t chunk_bytes : {size_t{1}, size_t{100}, size_t{513}, SIZE_MAX}) {
    EXPECT_EQ(Lines(longest + "\n", chunk_bytes), (Strings{longest}));
    EXPECT_EQ(Lines(longest + "\r\n", chunk_bytes), (Strings{longest}));
    EXPECT_EQ(Lines(longest, chunk_bytes), (Strings{longest}));
    EXPECT_EQ(Lines(longest + "x\nnext\n", chunk_bytes), (Strings{kTooLong, "next"}));
    EXPECT_EQ(Lines(longest + "x", chunk_bytes), (Strings{kTooLong}));
    EXPECT_EQ(Lines(longest + longest + longest + "\nnext", chunk_bytes),
              (Strings{kTooLong, "next"}));
  }
}

TEST(LineReader, TheLimitIsTheReaders) {
  const std::string longest(5'000, 'x');
  for (const size_t chunk_bytes : {size_t{1}, size_t{4'999}, SIZE_MAX}) {
    EXPECT_EQ(Lines(longest + "\r\n" + longest + "x\nnext", chunk_bytes, longest.size()),
              (Strings{longest, kTooLong, "next"}));
    EXPECT_EQ(Lines("abc\nabcd\n", chunk_bytes, 3), (Strings{"abc", kTooLong}));
  }
}

TEST(LineReader, AnyBytesAreText) {
  const std::string line("\0\xff\x01", 3);
  EXPECT_EQ(Lines(line + "\n" + line), (Strings{line, line}));
}

RC_GTEST_PROP(LineReader, IsIndependentOfTheCuts, ()) {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("a", "\n", "\r", "\r\n", std::string(300, 'y')));
  std::string stream;
  for (const std::string& piece : pieces) stream += piece;
  RC_ASSERT(Lines(stream) == Lines(stream, *rc::gen::inRange<size_t>(1, 600)));
}

}  // namespace
}  // namespace engine
