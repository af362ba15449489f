// A picture of character cells, independent of any terminal.

#ifndef TOOLS_CLI_TRAVEL_CELL_GRID_H_
#define TOOLS_CLI_TRAVEL_CELL_GRID_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tools {

enum class CellStyle { kPlain, kBold, kDim, kGreen, kRed, kYellow, kReverse };

// A regular value type. Drawing beyond the edges is legal and does nothing.
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

  // Sets the style of a whole row.
  void Paint(size_t row, CellStyle style);

  // Returns the text without styles and without blanks at the ends of rows.
  std::string ToText() const;

  // Returns the picture for ASCII-only terminals: bars become '#', lines '|' and '-'.
  CellGrid ToAscii() const;

 private:
  void Set(size_t row, size_t column, char32_t glyph, CellStyle style);

  size_t columns_;
  std::vector<Cell> cells_;
};

// Returns the code points of UTF-8; invalid bytes become U'?'.
std::u32string CodePoints(absl::string_view utf8);
std::string Utf8(char32_t code_point);

}  // namespace tools

#endif  // TOOLS_CLI_TRAVEL_CELL_GRID_H_
