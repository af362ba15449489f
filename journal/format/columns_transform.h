// A reversible transform that helps compression: rows of 64 bytes become 64 columns of bytes.
//
//   row 0  a0 a1 … a63              a0 b0 c0 …   column 0
//   row 1  b0 b1 … b63     ◄──►     a1 b1 c1 …   column 1
//   row 2  c0 c1 … c63              …
//
// First, the words in the delta mask are replaced by their difference to the row before (modulo
// 2^64; the first row is unchanged). Bit i of the mask stands for the word at byte 8 * i.
// FORMAT.md, section 5.

#ifndef JOURNAL_FORMAT_COLUMNS_TRANSFORM_H_
#define JOURNAL_FORMAT_COLUMNS_TRANSFORM_H_

#include <cstddef>
#include <cstdint>

namespace journal {

// The writer's mask: sequence and timestamp. Chosen by measurement (DESIGN.md).
inline constexpr uint8_t kDefaultDeltaMask = 0b0000'0011;

// Each reads and writes `row_count` * 64 bytes. REQUIRES: the two ranges do not overlap.
void RowsToColumns(const std::byte* rows, size_t row_count, uint8_t delta_mask, std::byte* columns);
void ColumnsToRows(const std::byte* columns, size_t row_count, uint8_t delta_mask, std::byte* rows);

}  // namespace journal

#endif  // JOURNAL_FORMAT_COLUMNS_TRANSFORM_H_
