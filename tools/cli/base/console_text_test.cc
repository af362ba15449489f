#include "tools/cli/base/console_text.h"

#include <rapidjson/document.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/json.h"

namespace tools {
namespace {

std::string Shown(absl::string_view text) { return std::string(ConsoleText(text).bytes()); }

TEST(ConsoleTextTest, WhatCanBeSeenIsShownAsItIs) {
  for (const char* text :
       {"", "plain text, with \\ and \"quotes\"", "Größe 1 µs … ████▎ 東京 😀"}) {
    EXPECT_EQ(Shown(text), text);
  }
}

TEST(ConsoleTextTest, WhatCouldDoMoreThanBeReadIsEscaped) {
  EXPECT_EQ(Shown("\x1b[2J\x07"), "\\x1b[2J\\x07");
  EXPECT_EQ(Shown("a\nb\rc\td"), "a\\nb\\rc\\td");
  EXPECT_EQ(Shown(std::string("\0\x7f", 2)), "\\x00\\x7f");
  EXPECT_EQ(Shown("\u009b31m"), "\\u009b31m");  // C1: the other way to begin a sequence.
  EXPECT_EQ(Shown("\x9b"
                  "31m"),
            "\\x9b31m");                                     // The same as a byte.
  EXPECT_EQ(Shown("a\u202eb\u2066c"), "a\\u202eb\\u2066c");  // Direction.
  EXPECT_EQ(Shown("a\u200bb\ufeffc"), "a\\u200bb\\ufeffc");  // Without width.
  EXPECT_EQ(Shown("a\u2028b"), "a\\u2028b");                 // A line end.
  EXPECT_EQ(Shown("\U000e0041"), "\\U000e0041");             // A tag.
  EXPECT_EQ(Shown("\xc0\xaf \xed\xa0\x80 \xf4\x90\x80\x80 \xe2\x82"),
            "\\xc0\\xaf \\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80 \\xe2\\x82");
}

TEST(ConsoleTextTest, OnlyLiteralsAreOurs) {
  const std::string outside = "x\x1b\n";
  const char* const pointer = outside.c_str();
  const absl::string_view view = outside;
  EXPECT_EQ(ConsoleText::Of("a\n", outside, pointer, view, 7, "\n").bytes(),
            "a\nx\\x1b\\nx\\x1b\\nx\\x1b\\n7\n");
  char buffer[] = "b\n";
  EXPECT_EQ(ConsoleText::Of(buffer).bytes(), "b\\n");
}

TEST(ConsoleTextTest, LinesKeepTheirEndsAndTabulatorsOnly) {
  EXPECT_EQ(ConsoleText::Lines("a\tb\x1b\r\nc\n").bytes(), "a\tb\\x1b\\r\nc\n");
}

TEST(ConsoleTextTest, AMessageHasOneFirstLine) {
  EXPECT_EQ(ConsoleText::Message("a\nticktape: all is well\n  indented\x1b").bytes(),
            "a\n  ticktape: all is well\n  indented\\x1b");
}

TEST(ConsoleTextTest, AStyleIsAroundEscapedText) {
  std::string output;
  EXPECT_EQ(Styled(Style::kRed, "\x1b[0m").bytes(), "\x1b[31m\\x1b[0m\x1b[0m");
  Console console([&](absl::string_view text) { absl::StrAppend(&output, text); },
                  [](absl::string_view) {}, {.output_is_terminal = true});
  console.PrintLine(Styled(Style::kBold, "a\nb"), "\x1b[31m", std::string("\x1b[31m"));
  console.Flush();
  EXPECT_EQ(output, "\x1b[1ma\\nb\x1b[0m\x1b[31m\\x1b[31m\n");
}

TEST(ConsoleTextTest, NoStyleLeavesIfTheOutputIsNoTerminal) {
  for (const Console::Options options :
       {Console::Options(), Console::Options{.json = true, .output_is_terminal = true}}) {
    std::string output;
    Console console([&](absl::string_view text) { absl::StrAppend(&output, text); },
                    [](absl::string_view) {}, options);
    console.PrintLine("a ", Styled(Style::kBold, "b"), " ", ConsoleText("c"));
    console.Flush();
    EXPECT_EQ(output, "a b c\n");
  }
}

// Bytes that are often what they should not be.
std::string AnyBytes() {
  const auto piece = rc::gen::oneOf(
      rc::gen::arbitrary<std::string>(),
      rc::gen::element<std::string>("\x1b[31m", "\u009b", "\x9b", "\n", "\u202e", "\xff",
                                    "\xf0\x9f", "\u00e9", "\"", "\\", "\U0001f600", "plain"));
  std::string bytes;
  for (const std::string& each : *rc::gen::container<std::vector<std::string>>(piece))
    bytes += each;
  return bytes;
}

bool IsVisible(absl::string_view text) {
  bool is_visible = true;
  VisitPieces(
      text, [&](const TextPiece& piece) { is_visible &= piece.kind == TextPiece::Kind::kVisible; });
  return is_visible;
}

RC_GTEST_PROP(ConsoleTextTest, NothingThatIsShownNeedsEscaping, ()) {
  RC_ASSERT(IsVisible(Shown(AnyBytes())));
}

RC_GTEST_PROP(ConsoleTextTest, ThePiecesAreAllOfTheText, ()) {
  const std::string bytes = AnyBytes();
  std::string all;
  VisitPieces(bytes, [&](const TextPiece& piece) { absl::StrAppend(&all, piece.bytes); });
  RC_ASSERT(all == bytes);
}

RC_GTEST_PROP(JsonTest, AnyBytesAreValidJsonThatIsShownAsItIs, ()) {
  const std::string bytes = AnyBytes();
  JsonObject json;
  json.Field(bytes, bytes);
  json.BeginArray("list");
  json.Element(bytes);
  json.EndArray();
  const std::string line = json.Take();
  RC_ASSERT(IsVisible(line));
  rapidjson::Document document;
  document.Parse<rapidjson::kParseValidateEncodingFlag>(line.data(), line.size());
  RC_ASSERT(!document.HasParseError());
  const absl::string_view value(document["list"][0].GetString(),
                                document["list"][0].GetStringLength());
  bool is_utf8 = true;
  VisitPieces(bytes,
              [&](const TextPiece& piece) { is_utf8 &= piece.kind != TextPiece::Kind::kNotUtf8; });
  if (is_utf8) RC_ASSERT(value == bytes);
}

}  // namespace
}  // namespace tools
