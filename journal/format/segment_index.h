// The footer of a sealed segment: an index of its blocks, and a trailer that locates the index.
// FORMAT.md, section 6.
//
//   … SEAL block ─┼─ index, a Cap'n Proto message ─┼─ zeros ─┼─ trailer, 64 ─┤ end of file, on 4096
//
// Never authoritative: a damaged index is rebuilt from the blocks, and every block has its own
// hashes.

#ifndef JOURNAL_FORMAT_SEGMENT_INDEX_H_
#define JOURNAL_FORMAT_SEGMENT_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "journal/log_digest.h"
#include "journal/storage/storage.h"

namespace journal {

// The place and the range of records of a DATA block. A regular value type.
struct BlockEntry {
  uint64_t number = 0;
  uint64_t offset = 0;
  engine::SequenceNumber first_sequence = {};
  engine::Timestamp first_timestamp = {};
  engine::Timestamp last_timestamp = {};
  uint32_t record_count = 0;
  uint32_t stored_bytes = 0;

  engine::SequenceNumber next_sequence() const { return first_sequence + record_count; }

  friend bool operator==(const BlockEntry&, const BlockEntry&) = default;
};

// A position in the log between two blocks: the values that the next block's header must have. A
// regular value type.
struct LogPosition {
  uint64_t next_block = 1;
  engine::SequenceNumber next_sequence = engine::SequenceNumber::First();
  engine::Timestamp last_timestamp = {};  // Of the last record before next_sequence.
  uint64_t last_block_hash = 0;
  uint32_t incarnation = 0;

  friend bool operator==(const LogPosition&, const LogPosition&) = default;
};

// A regular value type.
struct SegmentIndex {
  std::vector<BlockEntry> blocks;
  LogPosition end;  // After the SEAL block.
  LogDigests digests;
  uint64_t raw_bytes = 0;

  friend bool operator==(const SegmentIndex&, const SegmentIndex&) = default;
};

// Returns index, padding and trailer. `offset` is the end of the SEAL block, where they will stand.
std::vector<std::byte> EncodeFooter(const SegmentIndex& index, uint64_t offset,
                                    uint64_t segment_seed);

struct FooterRead {
  SegmentIndex index;
  uint64_t offset = 0;  // Where the SEAL block ends.
};

// Reads and validates the footer at the end of the file: the entries are in order, before the
// footer, and dense in sequence.
// Errors: NOT_FOUND (no trailer at the end of the file), DATA_LOSS (damaged), the file's.
absl::StatusOr<FooterRead> ReadFooter(const File& file, uint64_t file_bytes, uint64_t segment_seed);

}  // namespace journal

#endif  // JOURNAL_FORMAT_SEGMENT_INDEX_H_
