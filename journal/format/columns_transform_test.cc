#include "journal/format/columns_transform.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "engine/base/prng.h"
#include "gtest/gtest.h"

namespace journal {
namespace {

std::vector<std::byte> RandomRows(size_t row_count) {
  engine::Prng prng(row_count);
  std::vector<std::byte> rows(row_count * 64);
  for (std::byte& byte : rows) byte = static_cast<std::byte>(prng.Below(256));
  return rows;
}

TEST(ColumnsTransform, IsReversibleForEveryMaskAndCount) {
  for (size_t row_count = 0; row_count <= 150; ++row_count) {
    const std::vector<std::byte> rows = RandomRows(row_count);
    for (int mask = 0; mask < 256; mask += row_count <= 33 ? 1 : 37) {
      std::vector<std::byte> columns(rows.size());
      std::vector<std::byte> back(rows.size());
      RowsToColumns(rows.data(), row_count, static_cast<uint8_t>(mask), columns.data());
      ColumnsToRows(columns.data(), row_count, static_cast<uint8_t>(mask), back.data());
      ASSERT_EQ(back, rows) << row_count << " rows, mask " << mask;
    }
  }
}

TEST(ColumnsTransform, WithoutDeltaByteJOfRowIBecomesByteIOfColumnJ) {
  for (const size_t row_count : {1, 7, 8, 9, 15, 16, 17, 63, 64, 65, 80, 129, 200}) {
    const std::vector<std::byte> rows = RandomRows(row_count);
    std::vector<std::byte> columns(rows.size());
    RowsToColumns(rows.data(), row_count, 0, columns.data());
    for (size_t i = 0; i < row_count; ++i) {
      for (size_t j = 0; j < 64; ++j) ASSERT_EQ(columns[j * row_count + i], rows[i * 64 + j]);
    }
  }
}

// Three rows; the second word counts 250, 260, 255 and is named by the mask.
TEST(ColumnsTransform, DeltaIsTheDifferenceToTheRowBeforeModuloTwoToThe64) {
  std::vector<uint64_t> rows(3 * 8);
  rows[1] = 250;
  rows[8 + 1] = 260;
  rows[16 + 1] = 255;
  std::vector<std::byte> columns(3 * 64);
  RowsToColumns(reinterpret_cast<const std::byte*>(rows.data()), 3, 0b10, columns.data());
  const auto column = [&](size_t i) {
    return std::vector<int>{std::to_integer<int>(columns[i * 3]),
                            std::to_integer<int>(columns[i * 3 + 1]),
                            std::to_integer<int>(columns[i * 3 + 2])};
  };
  EXPECT_EQ(column(7), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(column(8), (std::vector<int>{250, 10, 251}));
  EXPECT_EQ(column(9), (std::vector<int>{0, 0, 255}));
  EXPECT_EQ(column(15), (std::vector<int>{0, 0, 255}));
}

}  // namespace
}  // namespace journal
