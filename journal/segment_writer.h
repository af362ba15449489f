// Writes one segment: preamble, blocks, seal. FORMAT.md, sections 2, 3 and 6.
//
// Keeps the chain (numbers, hashes, incarnation) and the durability watermark; knows nothing of
// records. Every block starts on a 4096 boundary, so no sector is written twice.

#ifndef JOURNAL_SEGMENT_WRITER_H_
#define JOURNAL_SEGMENT_WRITER_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "journal/aligned_buffer.h"
#include "journal/block_header.h"
#include "journal/journal_state.h"
#include "journal/preamble.h"
#include "journal/segment_index.h"
#include "journal/segment_scan.h"
#include "journal/storage/storage.h"

namespace journal {

// Not thread-safe: owned by the Writer, which makes its failures sticky.
class SegmentWriter {
 public:
  // Begins a segment where the log stands. Returns once the file, its preamble and its name are
  // durable: no block is ever written behind a preamble that might vanish.
  static absl::StatusOr<std::unique_ptr<SegmentWriter>> Create(Directory& directory,
                                                               Preamble preamble);

  // For Create().
  SegmentWriter(std::unique_ptr<File> file, Preamble preamble);

  // Goes on after the prefix of an unsealed segment; everything up to there is durable.
  SegmentWriter(std::unique_ptr<File> file, const SegmentState& state);

  // Completes and writes a block of `kind`; `header` describes the payload that stands in `block`
  // after room for the header.
  absl::Status WriteDataBlock(BlockHeader header, AlignedBuffer& block);
  absl::Status WriteBlockWithoutRecords(BlockKind kind);

  // Returns once every block is durable; advances the watermark.
  absl::Status Sync();

  // Sync, SEAL block, Sync, footer, Sync: a valid footer proves that all before it was durable.
  absl::Status Seal(const engine::Digest& log_digest, const engine::Digest& log_chain);
  // The last part alone, for a segment whose SEAL block is there.
  absl::Status WriteFooter(const engine::Digest& log_digest, const engine::Digest& log_chain);

  const Preamble& preamble() const { return preamble_; }
  const LogPosition& position() const { return position_; }
  uint64_t end_offset() const { return end_offset_; }
  uint64_t block_count() const { return blocks_.size(); }
  engine::SequenceNumber durable_sequence() const { return durable_sequence_; }
  bool all_durable() const { return durable_block_ + 1 == position_.next_block; }
  // The newest block says less than is known to be durable.
  bool watermark_unwritten() const { return durable_sequence_ > written_watermark_; }

 private:
  absl::Status WriteBlock(BlockHeader& header, AlignedBuffer& block);

  const std::unique_ptr<File> file_;
  const Preamble preamble_;
  const uint64_t seed_;
  LogPosition position_;
  uint64_t end_offset_ = 0;
  uint64_t raw_bytes_ = 0;
  std::vector<BlockEntry> blocks_;
  uint64_t durable_block_ = 0;
  engine::SequenceNumber durable_sequence_;
  engine::SequenceNumber written_watermark_;
  AlignedBuffer empty_block_{kBlockHeaderBytes};
};

}  // namespace journal

#endif  // JOURNAL_SEGMENT_WRITER_H_
