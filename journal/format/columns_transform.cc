#include "journal/format/columns_transform.h"

#include <emmintrin.h>

#include <algorithm>
#include <array>

#include "engine/base/bytes.h"
#include "journal/record.h"

namespace journal {
namespace {

using engine::LoadLittleEndian;
using engine::StoreLittleEndian;

constexpr size_t kRowBytes = sizeof(Row);
constexpr size_t kWordCount = kRowBytes / 8;

// One word of sixteen rows, in row order or in column order:
//
//   rows      register i    word of row 2i, word of row 2i + 1
//   columns   register i    byte i of the sixteen words
constexpr size_t kTile = 16;
constexpr size_t kRegisters = 8;
// Loops over the registers are unrolled at every optimisation level; otherwise the compiler keeps
// the tile in memory.
struct Tile {
  __m128i registers[kRegisters];
};

// The number of rows for which all words are processed before the next rows. A band fills one cache
// line of each column, because columns of a power of two rows map to the same cache sets, and
// reads each cache line of the rows once.
constexpr size_t kBand = 64;

// The index of a byte in a tile has seven bits: three for the register, four for the byte in it.
// Turn() rotates the index left by one bit.
inline Tile Turn(const Tile& tile) {
  Tile turned;
#pragma GCC unroll 8
  for (size_t i = 0; i < 4; ++i) {
    const __m128i low = tile.registers[i];
    const __m128i high = tile.registers[i + 4];
    turned.registers[2 * i] = _mm_unpacklo_epi8(low, high);
    turned.registers[2 * i + 1] = _mm_unpackhi_epi8(low, high);
  }
  return turned;
}
// In column order the index is (byte, row), in row order (row, byte).
inline Tile ToRows(const Tile& columns) { return Turn(Turn(Turn(columns))); }
inline Tile ToColumns(const Tile& rows) { return Turn(Turn(Turn(Turn(rows)))); }

inline uint64_t Low(__m128i pair) { return static_cast<uint64_t>(_mm_cvtsi128_si64(pair)); }
inline uint64_t High(__m128i pair) { return Low(_mm_unpackhi_epi64(pair, pair)); }
inline __m128i Pair(uint64_t low, uint64_t high) {
  return _mm_set_epi64x(static_cast<int64_t>(high), static_cast<int64_t>(low));
}

// Whether the columns hold the differences of this word.
bool IsDelta(uint8_t delta_mask, size_t word) { return (delta_mask >> word & 1) != 0; }

// Writes one word of `count` rows to its eight columns, which are `stride` bytes apart. `previous`
// is the word of the row before; returns the word of the last row. REQUIRES: count % kTile == 0.
template <bool is_delta>
uint64_t WordToColumns(const std::byte* from, size_t count, uint64_t previous, size_t stride,
                       std::byte* to) {
  for (size_t row = 0; row < count; row += kTile) {
    Tile tile;
#pragma GCC unroll 8
    for (size_t i = 0; i < kRegisters; ++i) {
      const auto first = LoadLittleEndian<uint64_t>(from + (row + 2 * i) * kRowBytes);
      const auto second = LoadLittleEndian<uint64_t>(from + (row + 2 * i + 1) * kRowBytes);
      tile.registers[i] = is_delta ? Pair(first - previous, second - first) : Pair(first, second);
      previous = second;
    }
    tile = ToColumns(tile);
#pragma GCC unroll 8
    for (size_t i = 0; i < kRegisters; ++i) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i * stride + row), tile.registers[i]);
    }
  }
  return previous;
}

// The reverse of WordToColumns().
template <bool is_delta>
uint64_t WordToRows(const std::byte* from, size_t stride, size_t count, uint64_t previous,
                    std::byte* to) {
  for (size_t row = 0; row < count; row += kTile) {
    Tile tile;
#pragma GCC unroll 8
    for (size_t i = 0; i < kRegisters; ++i) {
      tile.registers[i] =
          _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i * stride + row));
    }
    tile = ToRows(tile);
#pragma GCC unroll 8
    for (size_t i = 0; i < kRegisters; ++i) {
      std::byte* const pair = to + (row + 2 * i) * kRowBytes;
      if constexpr (is_delta) {
        const uint64_t first = previous + Low(tile.registers[i]);
        previous = first + High(tile.registers[i]);
        StoreLittleEndian(first, pair);
        StoreLittleEndian(previous, pair + kRowBytes);
      } else {
        _mm_storel_epi64(reinterpret_cast<__m128i*>(pair), tile.registers[i]);
        _mm_storeh_pd(reinterpret_cast<double*>(pair + kRowBytes),
                      _mm_castsi128_pd(tile.registers[i]));
      }
    }
  }
  return previous;
}

}  // namespace

void RowsToColumns(const std::byte* rows, size_t row_count, uint8_t delta_mask,
                   std::byte* columns) {
  std::array<uint64_t, kWordCount> before = {};
  const size_t tiles_end = row_count - row_count % kTile;
  for (size_t band = 0; band < tiles_end; band += kBand) {
    const size_t count = std::min(kBand, tiles_end - band);
    for (size_t word = 0; word < kWordCount; ++word) {
      const auto to_columns =
          IsDelta(delta_mask, word) ? WordToColumns<true> : WordToColumns<false>;
      before[word] = to_columns(rows + band * kRowBytes + word * 8, count, before[word], row_count,
                                columns + word * 8 * row_count + band);
    }
  }
  for (size_t row = tiles_end; row < row_count; ++row) {
    for (size_t word = 0; word < kWordCount; ++word) {
      const auto value = LoadLittleEndian<uint64_t>(rows + row * kRowBytes + word * 8);
      const uint64_t stored = IsDelta(delta_mask, word) ? value - before[word] : value;
      before[word] = value;
      for (size_t i = 0; i < 8; ++i) {
        columns[(word * 8 + i) * row_count + row] = static_cast<std::byte>(stored >> (8 * i));
      }
    }
  }
}

void ColumnsToRows(const std::byte* columns, size_t row_count, uint8_t delta_mask,
                   std::byte* rows) {
  std::array<uint64_t, kWordCount> before = {};
  const size_t tiles_end = row_count - row_count % kTile;
  for (size_t band = 0; band < tiles_end; band += kBand) {
    const size_t count = std::min(kBand, tiles_end - band);
    for (size_t word = 0; word < kWordCount; ++word) {
      const auto to_rows = IsDelta(delta_mask, word) ? WordToRows<true> : WordToRows<false>;
      before[word] = to_rows(columns + word * 8 * row_count + band, row_count, count, before[word],
                             rows + band * kRowBytes + word * 8);
    }
  }
  for (size_t row = tiles_end; row < row_count; ++row) {
    for (size_t word = 0; word < kWordCount; ++word) {
      uint64_t value = 0;
      for (size_t i = 0; i < 8; ++i) {
        value |= std::to_integer<uint64_t>(columns[(word * 8 + i) * row_count + row]) << (8 * i);
      }
      if (IsDelta(delta_mask, word)) value += before[word];
      before[word] = value;
      StoreLittleEndian(value, rows + row * kRowBytes + word * 8);
    }
  }
}

}  // namespace journal
