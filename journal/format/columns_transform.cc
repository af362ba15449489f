#include "journal/format/columns_transform.h"

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/base/bytes.h"
#include "journal/record.h"

namespace journal {
namespace {

using engine::LoadLittleEndian;
using engine::StoreLittleEndian;

constexpr size_t kRowBytes = sizeof(Row);
constexpr size_t kWordCount = kRowBytes / 8;
constexpr size_t kTile = 8;  // Rows transposed at once.

using Tile = std::array<uint64_t, kTile>;

// Exchanges the bits of `high` above and of `low` below the mask, `shift` apart.
inline void Exchange(uint64_t& low, uint64_t& high, uint64_t mask, int shift) {
  const uint64_t moved = ((low >> shift) ^ high) & mask;
  high ^= moved;
  low ^= moved << shift;
}

// Byte j of word i becomes byte i of word j: an 8 by 8 matrix by halves (Hacker's Delight, 7-3).
inline void Transpose(Tile& tile) {
  for (size_t i = 0; i < 4; ++i) Exchange(tile[i], tile[i + 4], 0x00000000ffffffff, 32);
  for (const size_t i : {0, 1, 4, 5}) Exchange(tile[i], tile[i + 2], 0x0000ffff0000ffff, 16);
  for (const size_t i : {0, 2, 4, 6}) Exchange(tile[i], tile[i + 1], 0x00ff00ff00ff00ff, 8);
}

}  // namespace

void RowsToColumns(const std::byte* rows, size_t row_count, uint8_t delta_mask,
                   std::byte* columns) {
  for (size_t word = 0; word < kWordCount; ++word) {
    const uint64_t keep = (delta_mask >> word & 1) != 0 ? ~uint64_t{0} : 0;
    const std::byte* from = rows + word * 8;
    std::byte* to = columns + word * 8 * row_count;
    uint64_t previous = 0;
    size_t row = 0;
    for (; row + kTile <= row_count; row += kTile) {
      Tile tile;
      for (size_t i = 0; i < kTile; ++i) {
        const uint64_t value = LoadLittleEndian<uint64_t>(from + (row + i) * kRowBytes);
        tile[i] = value - (previous & keep);
        previous = value;
      }
      Transpose(tile);
      for (size_t i = 0; i < kTile; ++i) StoreLittleEndian(tile[i], to + i * row_count + row);
    }
    for (; row < row_count; ++row) {
      const uint64_t value = LoadLittleEndian<uint64_t>(from + row * kRowBytes);
      const uint64_t difference = value - (previous & keep);
      previous = value;
      for (size_t i = 0; i < 8; ++i) {
        to[i * row_count + row] = static_cast<std::byte>(difference >> (8 * i));
      }
    }
  }
}

void ColumnsToRows(const std::byte* columns, size_t row_count, uint8_t delta_mask,
                   std::byte* rows) {
  for (size_t word = 0; word < kWordCount; ++word) {
    const uint64_t keep = (delta_mask >> word & 1) != 0 ? ~uint64_t{0} : 0;
    const std::byte* from = columns + word * 8 * row_count;
    std::byte* to = rows + word * 8;
    uint64_t previous = 0;
    size_t row = 0;
    for (; row + kTile <= row_count; row += kTile) {
      Tile tile;
      for (size_t i = 0; i < kTile; ++i) {
        tile[i] = LoadLittleEndian<uint64_t>(from + i * row_count + row);
      }
      Transpose(tile);
      for (size_t i = 0; i < kTile; ++i) {
        previous = tile[i] + (previous & keep);
        StoreLittleEndian(previous, to + (row + i) * kRowBytes);
      }
    }
    for (; row < row_count; ++row) {
      uint64_t difference = 0;
      for (size_t i = 0; i < 8; ++i) {
        difference |= std::to_integer<uint64_t>(from[i * row_count + row]) << (8 * i);
      }
      previous = difference + (previous & keep);
      StoreLittleEndian(previous, to + row * kRowBytes);
    }
  }
}

}  // namespace journal
