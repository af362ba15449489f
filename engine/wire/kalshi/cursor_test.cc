#include "engine/wire/kalshi/cursor.h"

#include <cctype>
#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"

namespace engine::kalshi {
namespace {

// Clients keep cursors across a restart with a later build.
TEST(CursorTest, IsPinned) {
  EXPECT_EQ(MakeCursor(CursorList::kOrders, {.sequence = 300, .listing = 5}), "AQesAgWjx7ch");
  EXPECT_EQ(MakeCursor(CursorList::kTrades, {}), "AQIAAPOddNU");
}

RC_GTEST_PROP(CursorProperty, LeadsBackToItsPosition, (uint64_t sequence, uint32_t listing)) {
  const CursorPosition position = {.sequence = sequence, .listing = listing};
  const std::string text = MakeCursor(CursorList::kFills, position);
  RC_ASSERT(ParseCursor(CursorList::kFills, text) == position);
  RC_ASSERT(ParseCursor(CursorList::kTrades, text) == std::nullopt);
  for (const char c : text) RC_ASSERT(std::isalnum(c) != 0 || c == '-' || c == '_');
}

TEST(CursorTest, TheGreatestPositionLeadsBack) {
  const CursorPosition last = {.sequence = UINT64_MAX, .listing = UINT32_MAX};
  EXPECT_EQ(ParseCursor(CursorList::kFills, MakeCursor(CursorList::kFills, last)), last);
}

RC_GTEST_PROP(CursorProperty, OtherTextsAreTheFirstPage, (const std::string& text)) {
  RC_ASSERT(ParseCursor(CursorList::kFills, text) == std::nullopt);
}

RC_GTEST_PROP(CursorProperty, AChangedCursorIsTheFirstPage, (uint64_t sequence)) {
  std::string text = MakeCursor(CursorList::kFills, {.sequence = sequence, .listing = 1});
  text.resize(*rc::gen::inRange<size_t>(0, text.size()));
  RC_ASSERT(ParseCursor(CursorList::kFills, text) == std::nullopt);
}

TEST(CursorTest, GarbageIsTheFirstPage) {
  for (const char* text : {"", "garbage", "AAAA", "AQcAAAAAAAA", "!!!!"}) {
    EXPECT_EQ(ParseCursor(CursorList::kOrders, text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace engine::kalshi
