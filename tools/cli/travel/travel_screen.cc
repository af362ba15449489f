#include "tools/cli/travel/travel_screen.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/base/format.h"

namespace tools {
namespace {

constexpr char32_t kCut = U'…';

// The useful characters that are one cell wide.
bool IsOneCell(char32_t glyph) {
  return (glyph >= U' ' && glyph < 0x7f) || (glyph >= 0xa1 && glyph < 0x250 && glyph != 0xad) ||
         (glyph >= 0x2500 && glyph < 0x25a0) || glyph == kCut || glyph == U'–';
}

char32_t AsciiFor(char32_t glyph) {
  if (glyph < 0x7f) return glyph;
  if (glyph == U'─') return U'-';
  if (glyph == U'│') return U'|';
  if (glyph == kCut) return U'~';
  if (glyph == U'·') return U'.';
  if (glyph >= U'▁' && glyph <= U'▏') return U'#';
  return U'?';
}

constexpr std::array<absl::string_view, 17> kHelp = {
    "right, l, space   next command         left, h, backspace   the one before",
    ". ,            10 on, 10 back          PgDn PgUp         100 on, 100 back",
    "> <            1,000 on, 1,000 back    Home End          first, last",
    "",
    "g   go to: 1234, -10 (from the end), 2020-01-30T09:30:00Z,",
    "    +5s (after the first), order:4711, each with @ or without",
    "",
    "t T   next, previous trade in this market",
    "c C   next, previous command to this market",
    "e E   next, previous event of the watched order",
    "/     search, e.g. kind==new_order && price>=320   n N   again, backwards",
    "",
    "o     watch an order, by its number (nothing: none)",
    "m     choose a market, by its symbol               ] [   next, previous market",
    "up k, down j   another level's queue               b a   best bid, best ask",
    "",
    "Esc, Ctrl-C   stop what takes long                 q     quit",
};

// A rectangle of the picture.
struct Area {
  size_t row;
  size_t column;
  size_t rows;
  size_t columns;
};

class Painter {
 public:
  Painter(const TravelView& view, const TravelStatus& status, size_t rows, size_t columns)
      : view_(view), status_(status), grid_(rows, columns) {
    for (const auto* levels : {&view.bids, &view.asks}) {
      for (const TravelLevel& level : *levels) {
        price_width_ = std::max(price_width_, level.price.size());
        quantity_width_ = std::max(quantity_width_, level.quantity.size());
        largest_ = std::max(largest_, level.quantity_units);
      }
    }
  }

  CellGrid Paint() {
    const size_t rows = grid_.rows();
    const size_t columns = grid_.columns();
    if (rows < kScreenRowsMin || columns < kScreenColumnsMin) {
      DrawTooSmall();
      return grid_;
    }
    const size_t command_rows = std::clamp<size_t>(rows / 5, 3, 7);
    const size_t order_rows = !view_.order.has_value() ? 0 : rows < 24 ? 3 : 6;
    const size_t top = command_rows + 2;  // Of the body.
    const size_t body_rows = rows - top - order_rows - 1;
    DrawPosition();
    DrawCommand({1, 0, command_rows, columns});
    DrawRule(top - 1,
             view_.market.empty()
                 ? "no market is defined here"
                 : absl::StrCat(view_.market, "  ", Counted(view_.bid_level_count, "bid level"),
                                ", ", Counted(view_.ask_level_count, "ask level")));
    if (status_.shows_help) {
      DrawHelp({top, 0, body_rows, columns});
    } else {
      const size_t left = std::clamp<size_t>(columns * 45 / 100, 34, 60);
      const size_t right = columns - left - 2;
      const size_t queue_rows = (body_rows + 1) / 2;
      DrawLadder({top, 0, body_rows, left});
      for (size_t row = top; row < top + body_rows; ++row) {
        grid_.Draw(row, left, "│", CellStyle::kDim);
      }
      DrawQueue({top, left + 2, queue_rows, right});
      DrawTrades({top + queue_rows, left + 2, body_rows - queue_rows, right});
    }
    if (order_rows > 0) DrawOrder({top + body_rows, 0, order_rows, columns});
    DrawLastLine(rows - 1);
    return grid_;
  }

 private:
  void Line(const Area& area, size_t at, absl::string_view text,
            CellStyle style = CellStyle::kPlain) {
    if (at < area.rows) grid_.Draw(area.row + at, area.column, text, style, area.columns);
  }

  void DrawTooSmall() {
    grid_.Draw(0, 0, "The terminal is too small:");
    grid_.Draw(1, 0,
               absl::StrCat(grid_.columns(), " x ", grid_.rows(), ", and ", kScreenColumnsMin,
                            " x ", kScreenRowsMin, " is needed."));
    grid_.Draw(2, 0, "Make it larger, or q quits.");
  }

  void DrawPosition() {
    const std::string share =
        view_.last.value() == 0
            ? ""
            : absl::StrFormat("%.1f %%", 100.0 * static_cast<double>(view_.position.value()) /
                                             static_cast<double>(view_.last.value()));
    const size_t end = grid_.Draw(
        0, 0,
        absl::StrCat(" @", view_.position.value(), " of @", view_.oldest.value(), "..@",
                     view_.last.value(), "  ", share, "  ", view_.time, "  ", view_.path),
        CellStyle::kReverse);
    grid_.Draw(0, end, std::string(grid_.columns() - end, ' '), CellStyle::kReverse);
  }

  void DrawCommand(const Area& area) {
    if (view_.command.empty()) {
      Line(area, 0,
           view_.position.value() == 0 ? "before the first command"
                                       : "the oldest snapshot; earlier records are deleted",
           CellStyle::kDim);
    } else {
      Line(area, 0, view_.command, CellStyle::kBold);
    }
    const size_t room = area.rows - 1;
    const size_t shown = view_.events.size() <= room ? view_.events.size() : room - 1;
    for (size_t i = 0; i < shown; ++i) Line(area, 1 + i, absl::StrCat("  ", view_.events[i]));
    if (shown < view_.events.size()) {
      Line(area, 1 + shown, absl::StrCat("  ", Counted(view_.events.size() - shown, "more event")),
           CellStyle::kDim);
    }
  }

  void DrawRule(size_t row, absl::string_view title) {
    for (size_t column = 0; column < grid_.columns(); ++column) {
      grid_.Draw(row, column, "─", CellStyle::kDim);
    }
    grid_.Draw(row, 2, absl::StrCat(" ", title, " "), CellStyle::kBold, grid_.columns() - 4);
  }

  // The best levels are next to the middle.
  void DrawLadder(const Area& area) {
    const size_t middle = (area.rows - 1) / 2;
    const Area asks{area.row, area.column, middle, area.columns};
    const Area bids{area.row + middle + 1, area.column, area.rows - middle - 1, area.columns};
    for (size_t i = FirstShown(view_.asks, &TravelLevel::is_selected, asks.rows), row = middle;
         i < view_.asks.size() && row > 0; ++i) {
      DrawLevel(asks, --row, view_.asks[i], "ask", CellStyle::kRed);
    }
    if (!view_.market.empty()) Line(area, middle, "      · · ·", CellStyle::kDim);
    for (size_t i = FirstShown(view_.bids, &TravelLevel::is_selected, bids.rows), row = 0;
         i < view_.bids.size() && row < bids.rows; ++i) {
      DrawLevel(bids, row++, view_.bids[i], "bid", CellStyle::kGreen);
    }
  }

  // Returns the first item to show in `rows` rows: a list scrolls if its chosen item would not be
  // visible.
  template <typename Item>
  static size_t FirstShown(const std::vector<Item>& items, bool Item::*is_chosen, size_t rows) {
    for (size_t i = rows; i < items.size(); ++i) {
      if (items[i].*is_chosen) return i + 1 - rows;
    }
    return 0;
  }

  void DrawLevel(const Area& area, size_t at, const TravelLevel& level, absl::string_view side,
                 CellStyle style) {
    const std::string text =
        absl::StrFormat("%s %s %*s %*s %4d ", level.is_selected ? ">" : " ", side, price_width_,
                        level.price, quantity_width_, level.quantity, level.order_count);
    const size_t row = area.row + at;
    size_t column = grid_.Draw(row, area.column, text, level.is_selected ? CellStyle::kBold : style,
                               area.columns);
    const size_t end = area.column + area.columns;
    if (column + 4 < end) {
      column =
          grid_.Draw(row, column, Bar(level.quantity_units, largest_, end - column - 3), style);
    }
    if (level.is_watched) grid_.Draw(row, column, " <", CellStyle::kYellow, end - column);
  }

  void DrawQueue(const Area& area) {
    Line(area, 0, view_.queue_title.empty() ? "no orders rest on that side" : view_.queue_title,
         CellStyle::kBold);
    size_t width = 0;
    for (const TravelPlace& place : view_.queue) width = std::max(width, place.up_to_here.size());
    const size_t first = FirstShown(view_.queue, &TravelPlace::is_watched, area.rows - 1);
    for (size_t i = first; i < view_.queue.size(); ++i) {
      const TravelPlace& place = view_.queue[i];
      const bool is_last_row = i - first + 2 == area.rows;
      if (is_last_row && i + 1 < view_.queue_order_count && !place.is_watched) {
        Line(area, area.rows - 1,
             absl::StrCat("  ", Counted(view_.queue_order_count - i, "more order")),
             CellStyle::kDim);
        return;
      }
      Line(area, 1 + i - first,
           absl::StrFormat("%4d order %-10d %*s up to %*s  account %d%s", i + 1,
                           place.order.value(), width, place.quantity, width, place.up_to_here,
                           place.account.value(), place.is_watched ? " <" : ""),
           place.is_watched ? CellStyle::kYellow : CellStyle::kPlain);
    }
  }

  void DrawTrades(const Area& area) {
    Line(area, 0, view_.trades.empty() ? "no trades here lately" : "trades, the latest first",
         CellStyle::kBold);
    for (size_t i = 0; i < view_.trades.size(); ++i) Line(area, 1 + i, view_.trades[i]);
  }

  void DrawOrder(const Area& area) {
    const TravelOrder& order = *view_.order;
    DrawRule(area.row, absl::StrCat("order ", order.order.value(), "  ", order.standing));
    const size_t room = area.rows - 1;
    const size_t hidden = order.life.size() > room ? order.life.size() - room : 0;
    for (size_t i = hidden; i < order.life.size(); ++i) {
      Line(area, 1 + i - hidden, absl::StrCat("  ", order.life[i]));
    }
  }

  void DrawHelp(const Area& area) {
    for (size_t i = 0; i < kHelp.size(); ++i) Line(area, i, absl::StrCat("  ", kHelp[i]));
  }

  void DrawLastLine(size_t row) {
    if (!status_.prompt.empty()) {
      // If the text is too long, its end is shown, where the user types.
      const std::u32string typed = CodePoints(status_.typed);
      const size_t room = grid_.columns() - status_.prompt.size() - 2;
      std::string seen;
      for (size_t i = typed.size() > room ? typed.size() - room : 0; i < typed.size(); ++i) {
        seen += Utf8(typed[i]);
      }
      const size_t end = grid_.Draw(row, 0, absl::StrCat(status_.prompt, " ", seen));
      grid_.Draw(row, end, " ", CellStyle::kReverse);
    } else if (!status_.message.empty()) {
      grid_.Draw(row, 0, status_.message, status_.is_error ? CellStyle::kRed : CellStyle::kPlain);
    } else {
      grid_.Draw(row, 0,
                 "? help  q quit  left/right step  g go to  t trade  / search  o order  m market",
                 CellStyle::kDim);
    }
  }

  const TravelView& view_;
  const TravelStatus& status_;
  CellGrid grid_;
  // Of all levels.
  size_t price_width_ = 0;
  size_t quantity_width_ = 0;
  uint64_t largest_ = 1;
};

}  // namespace

std::u32string CodePoints(absl::string_view utf8) {
  std::u32string points;
  while (!utf8.empty()) {
    const Decoded first = DecodeCharacter(utf8);
    points.push_back(first.length > 0 ? char32_t{first.character} : U'?');
    utf8.remove_prefix(std::max<size_t>(first.length, 1));
  }
  return points;
}

std::string Utf8(char32_t point) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | ((point >> shift) & 0x3f)); };
  if (point < 0x80) return {static_cast<char>(point)};
  if (point < 0x800) return {static_cast<char>(0xc0 | point >> 6), tail(0)};
  if (point < 0x10000) return {static_cast<char>(0xe0 | point >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xf0 | point >> 18), tail(12), tail(6), tail(0)};
}

size_t CellGrid::Draw(size_t row, size_t column, absl::string_view text, CellStyle style,
                      size_t width) {
  if (column >= columns_) return column;
  width = std::min(width, columns_ - column);
  std::u32string points = CodePoints(text);
  if (points.size() > width) {
    points.resize(width);
    if (width > 0) points.back() = kCut;
  }
  for (size_t i = 0; row < rows() && i < points.size(); ++i) {
    cells_[row * columns_ + column + i] = {.glyph = IsOneCell(points[i]) ? points[i] : U'?',
                                           .style = style};
  }
  return column + points.size();
}

CellGrid CellGrid::ToAscii() const {
  CellGrid ascii = *this;
  for (Cell& cell : ascii.cells_) cell.glyph = AsciiFor(cell.glyph);
  return ascii;
}

CellGrid DrawTravel(const TravelView& view, const TravelStatus& status, size_t rows,
                    size_t columns) {
  return Painter(view, status, rows, columns).Paint();
}

}  // namespace tools
