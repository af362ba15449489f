#include "tools/cli/travel/cell_grid.h"

#include <cstdint>

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

// Returns the number of bytes after the first; -1 if `first` begins no character.
int FollowingBytes(uint8_t first) {
  if (first < 0x80) return 0;
  if (first >= 0xc2 && first < 0xe0) return 1;
  if (first >= 0xe0 && first < 0xf0) return 2;
  if (first >= 0xf0 && first < 0xf5) return 3;
  return -1;
}

}  // namespace

std::u32string CodePoints(absl::string_view utf8) {
  std::u32string points;
  for (size_t i = 0; i < utf8.size(); ++i) {
    const uint8_t first = static_cast<uint8_t>(utf8[i]);
    const int following = FollowingBytes(first);
    char32_t point = following > 0 ? first & (0x3f >> following) : first;
    bool is_sound = following >= 0 && i + static_cast<size_t>(following) < utf8.size();
    for (int k = 1; is_sound && k <= following; ++k) {
      const uint8_t next = static_cast<uint8_t>(utf8[i + static_cast<size_t>(k)]);
      is_sound = (next & 0xc0) == 0x80;
      point = point << 6 | (next & 0x3f);
    }
    points.push_back(is_sound ? point : U'?');
    if (is_sound) i += static_cast<size_t>(following);
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

void CellGrid::Put(size_t row, size_t column, char32_t glyph, CellStyle style) {
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
    Put(row, column + i, is_cut ? kCut : points[i], style);
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
