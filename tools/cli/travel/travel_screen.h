// Draws a view into cells.
//
//   a.tape   @7 of 1..15   2020-01-30T09:30:06.000000000Z     position, in reverse video
//   7 ... ask market=AAPL price=320.1400 quantity=60          the command, then its events
//   ── AAPL  2 bid levels, 1 ask level ───────────────────
//     ask 320.1700  300  1 ███████   │ bid 320.1400  90 in 2 orders
//   > bid 320.1400   90  2 ██        │   1  order 3   40   40
//     bid 320.1200  200  1 ████      │ trades
//   ── order 3  live, 60 filled ... ──────────────────────
//   message, or the text being typed

#ifndef TOOLS_CLI_TRAVEL_TRAVEL_SCREEN_H_
#define TOOLS_CLI_TRAVEL_TRAVEL_SCREEN_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "tools/cli/travel/travel_view.h"

namespace tools {

enum class CellStyle { kPlain, kBold, kDim, kGreen, kRed, kYellow, kReverse };

// A picture of character cells, independent of any terminal. A regular value type. Drawing beyond
// the edges is legal and does nothing.
class CellGrid {
 public:
  struct Cell {
    char32_t glyph = U' ';  // One cell wide.
    CellStyle style = CellStyle::kPlain;

    friend bool operator==(const Cell&, const Cell&) = default;
  };

  CellGrid(size_t rows, size_t columns) : columns_(columns), cells_(rows * columns) {}

  size_t rows() const { return columns_ == 0 ? 0 : cells_.size() / columns_; }
  size_t columns() const { return columns_; }
  const Cell& at(size_t row, size_t column) const { return cells_[row * columns_ + column]; }

  // Draws UTF-8 text, truncated with '…' at `width` cells. Replaces everything that is not a
  // printable character of one cell by '?'. Returns the column after the text.
  size_t Draw(size_t row, size_t column, absl::string_view text,
              CellStyle style = CellStyle::kPlain, size_t width = SIZE_MAX);

  // Returns the picture for ASCII-only terminals: bars become '#', lines '|' and '-'.
  CellGrid ToAscii() const;

 private:
  size_t columns_;
  std::vector<Cell> cells_;
};

// Returns the code points of UTF-8; invalid bytes become U'?'.
std::u32string CodePoints(absl::string_view utf8);
std::string Utf8(char32_t code_point);

// The last line, and what covers the picture.
struct TravelStatus {
  std::string message = {};
  bool is_error = false;

  std::string prompt = {};  // Empty: no prompt.
  std::string typed = {};

  bool shows_help = false;
};

// On a smaller terminal, the picture only names the required size.
inline constexpr size_t kScreenRowsMin = 16;
inline constexpr size_t kScreenColumnsMin = 64;

CellGrid DrawTravel(const TravelView& view, const TravelStatus& status, size_t rows,
                    size_t columns);

}  // namespace tools

#endif  // TOOLS_CLI_TRAVEL_TRAVEL_SCREEN_H_
