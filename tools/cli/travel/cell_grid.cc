#include "tools/cli/travel/cell_grid.h"

#include <algorithm>
#include <cstdint>

#include "tools/cli/base/visible_text.h"

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

void CellGrid::Set(size_t row, size_t column, char32_t glyph, CellStyle style) {
  if (row >= rows() || column >= columns_) return;
  cells_[row * columns_ + column] = {.glyph = IsOneCell(glyph) ? glyph : U'?', .style = style};
}

size_t CellGrid::Draw(size_t row, size_t column, absl::string_view text, CellStyle style,
                      size_t width) {
  if (column >= columns_) return column;
  width = width < columns_ - column ? width : columns_ - column;
  const std::u32string points = CodePoints(text);
  for (size_t i = 0; i < points.size(); ++i) {
    if (i == width) break;
    const bool is_cut = i + 1 == width && points.size() > width;
    Set(row, column + i, is_cut ? kCut : points[i], style);
  }
  return column + (points.size() < width ? points.size() : width);
}

void CellGrid::Paint(size_t row, CellStyle style) {
  if (row >= rows()) return;
  for (size_t column = 0; column < columns_; ++column)
    cells_[row * columns_ + column].style = style;
}

std::string CellGrid::ToText() const {
  std::string text;
  for (size_t row = 0; row < rows(); ++row) {
    std::string line;
    for (size_t column = 0; column < columns_; ++column) line += Utf8(at(row, column).glyph);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

CellGrid CellGrid::ToAscii() const {
  CellGrid ascii = *this;
  for (Cell& cell : ascii.cells_) cell.glyph = AsciiFor(cell.glyph);
  return ascii;
}

}  // namespace tools
