#include "tools/cli/travel/travel_screen.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "engine/base/sequence_number.h"
#include "engine/types/ids.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cli/travel/travel_view.h"

namespace tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// The text without styles and without blanks at the ends of rows.
std::string ToText(const CellGrid& picture) {
  std::string text;
  for (size_t row = 0; row < picture.rows(); ++row) {
    std::string line;
    for (size_t column = 0; column < picture.columns(); ++column) {
      line += Utf8(picture.at(row, column).glyph);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

TravelLevel Level(const char* price, uint64_t quantity, uint64_t orders) {
  return {.price = price,
          .quantity = absl::StrCat(quantity),
          .quantity_units = quantity,
          .order_count = orders};
}

TravelView AView() {
  TravelView view;
  view.path = "a.tape";
  view.position = engine::SequenceNumber(7);
  view.last = engine::SequenceNumber(15);
  view.time = "2020-01-30T09:30:06.000000000Z";
  view.command = "7 ask market=AAPL price=320.1400 quantity=60";
  view.events = {"7.0 accepted order=7", "7.1 trade maker=3 taker=7"};
  view.market = "AAPL";
  view.asks = {Level("320.1700", 300, 1)};
  view.bids = {Level("320.1400", 90, 2), Level("320.1200", 200, 1)};
  view.bids[0].is_selected = true;
  view.ask_level_count = 1;
  view.bid_level_count = 2;
  view.queue_title = "bid 320.1400  90 in 2 orders";
  view.queue = {{.order = engine::OrderId(3),
                 .account = engine::AccountId(3),
                 .quantity = "40",
                 .up_to_here = "40"},
                {.order = engine::OrderId(4),
                 .account = engine::AccountId(4),
                 .quantity = "50",
                 .up_to_here = "90"}};
  view.queue_order_count = 2;
  view.trades = {"@7 09:30:06.000000  60 at 320.1400"};
  return view;
}

std::vector<std::string> Lines(const TravelView& view, const TravelStatus& status, size_t rows,
                               size_t columns) {
  return absl::StrSplit(ToText(DrawTravel(view, status, rows, columns)), '\n');
}

TEST(TravelScreen, HasAPlaceForEverything) {
  EXPECT_EQ(ToText(DrawTravel(AView(), {}, 16, 80)),
            " @7 of @0..@15  46.7 %  2020-01-30T09:30:06.000000000Z  a.tape\n"
            "7 ask market=AAPL price=320.1400 quantity=60\n"
            "  7.0 accepted order=7\n"
            "  7.1 trade maker=3 taker=7\n"
            "── AAPL  2 bid levels, 1 ask level ─────────────────────────────────────────────\n"
            "                                    │ bid 320.1400  90 in 2 orders\n"
            "                                    │    1 order 3          40 up to 40  accoun…\n"
            "                                    │    2 order 4          50 up to 90  accoun…\n"
            "  ask 320.1700 300    1 █████████   │\n"
            "      · · ·                         │\n"
            "> bid 320.1400  90    2 ██▊         │ trades, the latest first\n"
            "  bid 320.1200 200    1 ██████      │ @7 09:30:06.000000  60 at 320.1400\n"
            "                                    │\n"
            "                                    │\n"
            "                                    │\n"
            "? help  q quit  left/right step  g go to  t trade  / search  o order  m market\n");
}

TEST(TravelScreen, ATinyTerminalSaysWhatIsNeeded) {
  EXPECT_EQ(ToText(DrawTravel(AView(), {}, 4, 40)),
            "The terminal is too small:\n"
            "40 x 4, and 64 x 16 is needed.\n"
            "Make it larger, or q quits.\n"
            "\n");
  for (size_t rows = 0; rows < 3; ++rows) DrawTravel(AView(), {}, rows, rows);
}

TEST(TravelScreen, EverySizeCanBeDrawn) {
  TravelView view = AView();
  view.order = TravelOrder{.order = engine::OrderId(4), .standing = "live", .life = {"a", "b"}};
  for (int i = 0; i < 300; ++i) view.bids.push_back(Level("1.0000", 1, 1));
  for (size_t rows = 1; rows < 60; ++rows) {
    for (const size_t columns : {1u, 63u, 64u, 80u, 250u}) {
      EXPECT_EQ(DrawTravel(view, {}, rows, columns).rows(), rows);
      EXPECT_EQ(DrawTravel(view, {.shows_help = true}, rows, columns).rows(), rows);
    }
  }
}

TEST(TravelScreen, MoreEventsThanFitAreCounted) {
  TravelView view = AView();
  for (int i = 2; i < 12; ++i) view.events.push_back(absl::StrCat("7.", i));
  const auto lines = Lines(view, {}, 20, 80);
  EXPECT_EQ(lines[1 + 1], "  7.0 accepted order=7");
  EXPECT_EQ(lines[1 + 3], "  10 more events");
}

TEST(TravelScreen, ASelectedLevelThatIsFarAwayComesIntoSight) {
  TravelView view = AView();
  for (int i = 0; i < 100; ++i) view.bids.push_back(Level(absl::StrCat(i).c_str(), 1, 1));
  view.bids[0].is_selected = false;
  view.bids[80].is_selected = true;
  EXPECT_THAT(ToText(DrawTravel(view, {}, 24, 80)), HasSubstr("> bid       78"));
}

TEST(TravelScreen, TheWatchedOrderHasItsOwnPlace) {
  TravelView view = AView();
  view.bids[0].is_watched = true;
  view.queue[1].is_watched = true;
  view.order = TravelOrder{.order = engine::OrderId(4),
                           .standing = "live, 50 remaining",
                           .life = {"one", "two", "three", "four", "five", "six", "seven"}};
  const std::string text = ToText(DrawTravel(view, {}, 24, 100));
  EXPECT_THAT(text, HasSubstr("── order 4  live, 50 remaining ──"));
  EXPECT_THAT(text, HasSubstr("  three\n  four\n  five\n  six\n  seven\n"))
      << "the latest are seen";
  EXPECT_THAT(text, Not(HasSubstr("  two\n")));
  EXPECT_THAT(text, HasSubstr("account 4 <"));
}

TEST(TravelScreen, TheLastLineIsAMessageOrWhatIsTyped) {
  EXPECT_EQ(Lines(AView(), {.message = "no later trade"}, 16, 80)[15], "no later trade");
  EXPECT_EQ(Lines(AView(), {.prompt = "go to:", .typed = "@12"}, 16, 80)[15], "go to: @12");
  const std::string much(200, 'x');
  const auto line = Lines(AView(), {.prompt = "go to:", .typed = much + "END"}, 16, 80)[15];
  EXPECT_THAT(line, StartsWith("go to: xxx"));
  EXPECT_THAT(line, HasSubstr("END")) << "one sees what one types";
}

TEST(TravelScreen, HelpNamesTheKeys) {
  const std::string text = ToText(DrawTravel(AView(), {.shows_help = true}, 30, 80));
  EXPECT_THAT(text, HasSubstr("t T   next, previous trade in this market"));
  EXPECT_THAT(text, HasSubstr("q     quit"));
}

TEST(CellGrid, CutsOffAndKnowsWhatIsNoCharacter) {
  CellGrid grid(1, 8);
  EXPECT_EQ(grid.Draw(0, 0, "123456789"), 8);
  EXPECT_EQ(ToText(grid), "1234567…\n");
  grid.Draw(0, 0, "a\x1b[2J\xff\xe2\x96");
  EXPECT_EQ(ToText(grid), "a?[2J???\n") << "nothing that is drawn commands the terminal";
  EXPECT_EQ(grid.Draw(7, 0, "below"), 5);
  EXPECT_EQ(grid.Draw(0, 9, "beside"), 9);
}

TEST(CellGrid, HasAnAsciiForm) {
  const std::string text = ToText(DrawTravel(AView(), {}, 16, 80).ToAscii());
  for (const char c : text) EXPECT_TRUE(c == '\n' || (c >= ' ' && c < 0x7f)) << int{c};
  EXPECT_THAT(text, HasSubstr("-- AAPL  2 bid levels, 1 ask level ---"));
  EXPECT_THAT(text, HasSubstr("  ask 320.1700 300    1 ########"));
}

TEST(CellGrid, TextAndCodePointsAreTheSame) {
  for (const char32_t point : {U'a', U'ä', U'│', char32_t{0x1f600}}) {
    EXPECT_EQ(CodePoints(Utf8(point)), std::u32string(1, point));
  }
}

}  // namespace
}  // namespace tools
