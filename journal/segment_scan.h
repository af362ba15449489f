// Walks the blocks of one segment and finds out how far it can be believed. FORMAT.md, section 7.
//
//   preamble │ block │ block │ block │ ? │ … │ block │ …
//            └──── valid prefix ─────┘ ▲       └ island: valid, after the first that is not
//                                      end_offset
//
// Reads every byte of every block, changes nothing. A writer may be at work on the file meanwhile.

#ifndef JOURNAL_SEGMENT_SCAN_H_
#define JOURNAL_SEGMENT_SCAN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "journal/format/block_header.h"
#include "journal/format/preamble.h"
#include "journal/format/segment_index.h"
#include "journal/storage/storage.h"

namespace journal {

// Where the log stands after a block: what the next one must say. A regular value type.
struct LogPosition {
  uint64_t next_block = 1;
  engine::SequenceNumber next_sequence = engine::SequenceNumber::First();
  engine::Timestamp last_timestamp = {};
  uint64_t last_block_hash = 0;
  uint32_t incarnation = 0;

  friend bool operator==(const LogPosition&, const LogPosition&) = default;
};

// Where the log stands before the segment's first block, and after a block.
LogPosition PositionBefore(const Preamble& preamble);
LogPosition PositionAfter(const BlockHeader& header);

// Whether `header` is the next block of a log that stands at `position`.
// Errors: DATA_LOSS, saying in what it differs.
absl::Status CheckFollows(const LogPosition& position, const BlockHeader& header);

// What an index says of the block with this header at `offset`.
BlockEntry EntryOf(const BlockHeader& header, uint64_t offset);

struct SegmentScan {
  // The valid prefix: every block follows from the one before.
  std::vector<BlockEntry> blocks;  // Data blocks.
  LogPosition position;            // After the prefix.
  uint64_t end_offset = 0;
  uint64_t raw_bytes = 0;
  bool sealed = false;                     // A SEAL block ends the prefix.
  std::vector<uint64_t> padding_not_zero;  // Offsets of blocks.

  // What follows the prefix.
  std::string break_reason;  // Why the next block does not count; empty at the file's end.
  uint64_t file_bytes = 0;
  bool tail_not_zero = false;
  bool zeros_at_end = false;                  // Instead of the next block's header.
  bool ends_in_preambles = false;             // The file does, so no block was ever there.
  std::vector<BlockEntry> islands;            // record_count 0: not a data block.
  engine::SequenceNumber tail_last_sequence;  // The highest any header in the tail speaks of.
  uint64_t tail_bytes_hashed = 0;             // At most a few times the tail's length.

  // The durability watermark: the highest of all headers, islands and headers without payload too.
  uint64_t durable_block = 0;
  engine::SequenceNumber durable_sequence;
};

// Errors: the file's. Nothing a file can hold is an error.
absl::StatusOr<SegmentScan> ScanSegment(const File& file, const Preamble& preamble);

// The highest durable_block of all headers in the `bytes` from `offset` on; 0 without one.
absl::StatusOr<uint64_t> DurableBlockBehind(const File& file, const Preamble& preamble,
                                            uint64_t offset, uint64_t bytes);

// Whether a file without a readable preamble has held blocks: then its preamble was durable once.
absl::StatusOr<bool> HasTraceOfBlocks(const File& file);

}  // namespace journal

#endif  // JOURNAL_SEGMENT_SCAN_H_
