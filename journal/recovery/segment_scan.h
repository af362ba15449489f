// Scans the blocks of one segment and finds its valid prefix. FORMAT.md, section 7.
//
//   preamble │ block │ block │ block │ ? │ … │ block │ …
//            └──── valid prefix ─────┘ ▲       └ island: valid, after the first invalid one
//                                      end_offset
//
// Reads every byte of every block; changes nothing. A writer may write the file at the same time.

#ifndef JOURNAL_RECOVERY_SEGMENT_SCAN_H_
#define JOURNAL_RECOVERY_SEGMENT_SCAN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "journal/format/block_header.h"
#include "journal/format/preamble.h"
#include "journal/format/segment_index.h"
#include "journal/recovery/file_window.h"
#include "journal/storage/storage.h"

namespace journal {

// The position before the segment's first block, and the position after a block.
LogPosition PositionBefore(const Preamble& preamble);
LogPosition PositionAfter(const BlockHeader& header);
// The fields of the preamble of a segment that begins at `position`.
Preamble PreambleAt(const LogPosition& position);

// OK if `header` is the next block at `position`.
// Errors: DATA_LOSS (the message names the field that differs).
absl::Status CheckFollows(const LogPosition& position, const BlockHeader& header);

// Returns the index entry of the block with this header at `offset`.
BlockEntry EntryOf(const BlockHeader& header, uint64_t offset);

// Returns the header at `offset`, read from the file itself; nothing if there is no valid one. The
// second also returns nothing if the block does not follow `position`. Errors: the file's.
absl::StatusOr<std::optional<BlockHeader>> HeaderAt(const File& file, uint64_t seed,
                                                    uint64_t offset);
absl::StatusOr<std::optional<BlockHeader>> NextHeader(const File& file, uint64_t seed,
                                                      const LogPosition& position, uint64_t offset);

// A block as stored. The payload is in the window that it was read through.
struct StoredBlock {
  BlockHeader header;
  engine::Bytes payload;
};

// Reads the block at `offset`, which follows `position`, and checks its hashes. Errors: DATA_LOSS
// (there is no such block), the file's.
absl::StatusOr<StoredBlock> ReadNextBlock(FileWindow& window, uint64_t seed,
                                          const LogPosition& position, uint64_t offset);

// Reads a DATA block whose entry is known from elsewhere; does not check the payload's hash.
// Errors: DATA_LOSS (it is another block than `known_as`, as in "the index says"), the file's.
absl::StatusOr<StoredBlock> ReadKnownBlock(FileWindow& window, uint64_t seed,
                                           const BlockEntry& entry, absl::string_view known_as);
struct SegmentScan {
  // The valid prefix: every block follows the one before.
  std::vector<BlockEntry> blocks;  // DATA blocks.
  LogPosition position;            // After the prefix.
  uint64_t end_offset = 0;
  uint64_t raw_bytes = 0;
  bool sealed = false;                     // A SEAL block ends the prefix.
  std::vector<uint64_t> padding_not_zero;  // Offsets of blocks.

  // The bytes after the prefix.
  std::string break_reason;  // Why the next block is invalid; empty at the file's end.
  uint64_t file_bytes = 0;
  bool tail_not_zero = false;
  bool zeros_at_end = false;                  // Zeros in place of the next block's header.
  bool ends_in_preambles = false;             // The file ends inside the two preambles.
  std::vector<BlockEntry> islands;            // record_count 0: not a DATA block.
  engine::SequenceNumber tail_last_sequence;  // The highest record in any header of the tail.
  uint64_t tail_bytes_hashed = 0;             // At most a few times the tail's length.

  // The watermark: the highest in all valid headers of prefix and tail, damaged payloads included.
  uint64_t durable_block = 0;
  engine::SequenceNumber durable_sequence;
};

// Scans the file. Errors: the file's read errors; no content of a file is an error.
absl::StatusOr<SegmentScan> ScanSegment(const File& file, const Preamble& preamble);

// Returns the highest durable_block of all valid headers in the `bytes` from `offset` on; 0 if
// there is no header.
absl::StatusOr<uint64_t> DurableBlockAfter(const File& file, const Preamble& preamble,
                                           uint64_t offset, uint64_t bytes);

// Whether a file without a readable preamble has held blocks. If so, its preamble was durable once.
absl::StatusOr<bool> HasTraceOfBlocks(const File& file);

}  // namespace journal

#endif  // JOURNAL_RECOVERY_SEGMENT_SCAN_H_
