#include "tools/cli/travel/travel_screen.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "tools/cli/base/format.h"

namespace tools {
namespace {

constexpr std::array<absl::string_view, 17> kHelp = {
    "right, space   next command            left, backspace   the one before",
    ". ,            10 on, 10 back          PgDn PgUp         100 on, 100 back",
    "> <            1,000 on, 1,000 back    Home End          first, last",
    "",
    "g   go to: @1234, @-10 (from the end), @2020-01-30T09:30:00Z,",
    "    @+5s (after the first), @order:4711",
    "",
    "t T   next, previous trade in this market",
    "c C   next, previous command to this market",
    "e E   next, previous event of the watched order",
    "/     search, e.g. kind==cancel && price>=320      n N   again, backwards",
    "",
    "o     watch an order, by its number (nothing: none)",
    "m     choose a market, by its symbol               ] [   next, previous market",
    "up down   another level's queue                    b a   best bid, best ask",
    "",
    "Esc, Ctrl-C   stop what takes long                 q     quit",
};

// A rectangle of the picture.
struct Area {
  size_t row = 0;
  size_t column = 0;
  size_t rows = 0;
  size_t columns = 0;
};

class Painter {
 public:
  Painter(const TravelView& view, const TravelStatus& status, size_t rows, size_t columns)
      : view_(view), status_(status), grid_(rows, columns) {}

  CellGrid Paint();

 private:
  void DrawTooSmall();
  void DrawWhere();
  void DrawCommand(const Area& area);
  void DrawRule(size_t row, absl::string_view title);
  void DrawLadder(const Area& area);
  void DrawSide(const std::vector<TravelLevel>& levels, const Area& area, bool is_bid);
  void DrawLevel(size_t row, const Area& area, const TravelLevel& level, bool is_bid);
  void DrawQueue(const Area& area);
  void DrawTrades(const Area& area);
  void DrawOrder(const Area& area);
  void DrawHelp(const Area& area);
  void DrawLastLine();
  void Line(const Area& area, size_t at, absl::string_view text,
            CellStyle style = CellStyle::kPlain) {
    if (at < area.rows) grid_.Draw(area.row + at, area.column, text, style, area.columns);
  }

  const TravelView& view_;
  const TravelStatus& status_;
  CellGrid grid_;
};

CellGrid Painter::Paint() {
  const size_t rows = grid_.rows();
  const size_t columns = grid_.columns();
  if (rows < kScreenRowsMin || columns < kScreenColumnsMin) {
    DrawTooSmall();
    return grid_;
  }
  DrawWhere();
  const size_t command_rows = std::clamp<size_t>(rows / 5, 3, 7);
  const size_t order_rows = !view_.order.has_value() ? 0 : rows < 24 ? 3 : 6;
  DrawCommand({.row = 1, .column = 0, .rows = command_rows, .columns = columns});
  const size_t middle = 1 + command_rows;
  DrawRule(middle,
           view_.market.empty()
               ? "no market is defined here"
               : absl::StrCat(view_.market, "  ", Counted(view_.bid_level_count, "bid level"), ", ",
                              Counted(view_.ask_level_count, "ask level")));
  const Area body{
      .row = middle + 1, .column = 0, .rows = rows - middle - 2 - order_rows, .columns = columns};
  if (status_.shows_help) {
    DrawHelp(body);
  } else {
    const size_t left = std::clamp<size_t>(columns * 45 / 100, 34, 60);
    DrawLadder({.row = body.row, .column = 0, .rows = body.rows, .columns = left});
    for (size_t row = 0; row < body.rows; ++row) {
      grid_.Draw(body.row + row, left, "│", CellStyle::kDim);
    }
    const size_t queue_rows = (body.rows + 1) / 2;
    DrawQueue(
        {.row = body.row, .column = left + 2, .rows = queue_rows, .columns = columns - left - 2});
    DrawTrades({.row = body.row + queue_rows,
                .column = left + 2,
                .rows = body.rows - queue_rows,
                .columns = columns - left - 2});
  }
  if (order_rows > 0) {
    DrawOrder({.row = body.row + body.rows, .column = 0, .rows = order_rows, .columns = columns});
  }
  DrawLastLine();
  return grid_;
}

void Painter::DrawTooSmall() {
  grid_.Draw(0, 0, "The terminal is too small:");
  grid_.Draw(1, 0,
             absl::StrCat(grid_.columns(), " x ", grid_.rows(), ", and ", kScreenColumnsMin, " x ",
                          kScreenRowsMin, " is needed."));
  grid_.Draw(2, 0, "Make it larger, or q quits.");
}

void Painter::DrawWhere() {
  const std::string share =
      view_.last.value() == 0
          ? ""
          : absl::StrFormat("%.1f %%", 100.0 * static_cast<double>(view_.position.value()) /
                                           static_cast<double>(view_.last.value()));
  grid_.Draw(0, 0,
             absl::StrCat(" @", view_.position.value(), " of @", view_.oldest.value(), "..@",
                          view_.last.value(), "  ", share, "  ", view_.time, "  ", view_.path));
  grid_.Paint(0, CellStyle::kReverse);
}

void Painter::DrawCommand(const Area& area) {
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

void Painter::DrawRule(size_t row, absl::string_view title) {
  for (size_t column = 0; column < grid_.columns(); ++column) {
    grid_.Draw(row, column, "─", CellStyle::kDim);
  }
  grid_.Draw(row, 2, absl::StrCat(" ", title, " "), CellStyle::kBold, grid_.columns() - 4);
}

void Painter::DrawLadder(const Area& area) {
  const size_t ask_rows = (area.rows - 1) / 2;
  DrawSide(view_.asks,
           {.row = area.row, .column = area.column, .rows = ask_rows, .columns = area.columns},
           false);
  DrawSide(view_.bids,
           {.row = area.row + ask_rows + 1,
            .column = area.column,
            .rows = area.rows - ask_rows - 1,
            .columns = area.columns},
           true);
  if (!view_.market.empty()) {
    grid_.Draw(area.row + ask_rows, area.column, "      · · ·", CellStyle::kDim);
  }
}

// The best level is next to the middle; the side scrolls if the selected level would not be
// visible.
void Painter::DrawSide(const std::vector<TravelLevel>& levels, const Area& area, bool is_bid) {
  size_t first = 0;
  for (size_t i = 0; i < levels.size(); ++i) {
    if (levels[i].is_selected && i >= area.rows) first = i + 1 - area.rows;
  }
  for (size_t i = first; i < std::min(levels.size(), first + area.rows); ++i) {
    const size_t from_middle = i - first;
    const size_t row = is_bid ? area.row + from_middle : area.row + area.rows - 1 - from_middle;
    DrawLevel(row, area, levels[i], is_bid);
  }
}

void Painter::DrawLevel(size_t row, const Area& area, const TravelLevel& level, bool is_bid) {
  size_t price_width = 0;
  size_t quantity_width = 0;
  uint64_t largest = 1;
  for (const auto* levels : {&view_.bids, &view_.asks}) {
    for (const TravelLevel& other : *levels) {
      price_width = std::max(price_width, other.price.size());
      quantity_width = std::max(quantity_width, other.quantity.size());
      largest = std::max(largest, other.quantity_units);
    }
  }
  const std::string text =
      absl::StrFormat("%s %s %*s %*s %4d ", level.is_selected ? ">" : " ", is_bid ? "bid" : "ask",
                      price_width, level.price, quantity_width, level.quantity, level.order_count);
  const CellStyle style = is_bid ? CellStyle::kGreen : CellStyle::kRed;
  size_t column = grid_.Draw(row, area.column, text, level.is_selected ? CellStyle::kBold : style,
                             area.columns);
  const size_t end = area.column + area.columns;
  if (column + 4 < end) {
    column = grid_.Draw(row, column, Bar(level.quantity_units, largest, end - column - 3), style);
  }
  if (level.is_watched) grid_.Draw(row, column, " <", CellStyle::kYellow, end - column);
}

void Painter::DrawQueue(const Area& area) {
  Line(area, 0, view_.queue_title.empty() ? "no orders rest on that side" : view_.queue_title,
       CellStyle::kBold);
  size_t width = 0;
  for (const TravelPlace& place : view_.queue) width = std::max(width, place.up_to_here.size());
  size_t first = 0;
  for (size_t i = 0; i < view_.queue.size(); ++i) {
    if (view_.queue[i].is_watched && i + 2 > area.rows) first = i + 2 - area.rows;
  }
  for (size_t i = first; i < view_.queue.size(); ++i) {
    const TravelPlace& place = view_.queue[i];
    const bool is_last_row = i - first + 2 == area.rows;
    if (is_last_row && i + 1 < view_.queue_order_count && !place.is_watched) {
      Line(area, area.rows - 1,
           absl::StrCat("  ", Counted(view_.queue_order_count - i, "more order")), CellStyle::kDim);
      return;
    }
    Line(area, 1 + i - first,
         absl::StrFormat("%4d order %-10d %*s up to %*s  account %d%s", i + 1, place.order.value(),
                         width, place.quantity, width, place.up_to_here, place.account.value(),
                         place.is_watched ? " <" : ""),
         place.is_watched ? CellStyle::kYellow : CellStyle::kPlain);
  }
}

void Painter::DrawTrades(const Area& area) {
  Line(area, 0, view_.trades.empty() ? "no trades here lately" : "trades, the latest first",
       CellStyle::kBold);
  for (size_t i = 0; i < view_.trades.size(); ++i) Line(area, 1 + i, view_.trades[i]);
}

void Painter::DrawOrder(const Area& area) {
  const TravelOrder& order = *view_.order;
  DrawRule(area.row, absl::StrCat("order ", order.order.value(), "  ", order.standing));
  const size_t room = area.rows - 1;
  const size_t hidden = order.life.size() > room ? order.life.size() - room : 0;
  for (size_t i = hidden; i < order.life.size(); ++i) {
    Line(area, 1 + i - hidden, absl::StrCat("  ", order.life[i]));
  }
}

void Painter::DrawHelp(const Area& area) {
  for (size_t i = 0; i < kHelp.size(); ++i) Line(area, i, absl::StrCat("  ", kHelp[i]));
}

void Painter::DrawLastLine() {
  const size_t row = grid_.rows() - 1;
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
    return;
  }
  if (!status_.message.empty()) {
    grid_.Draw(row, 0, status_.message, status_.is_error ? CellStyle::kRed : CellStyle::kPlain);
    return;
  }
  grid_.Draw(row, 0,
             "? help  q quit  left/right step  g go to  t trade  / search  o order  m market",
             CellStyle::kDim);
}

}  // namespace

CellGrid DrawTravel(const TravelView& view, const TravelStatus& status, size_t rows,
                    size_t columns) {
  return Painter(view, status, rows, columns).Paint();
}

}  // namespace tools
