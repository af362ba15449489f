// Writes one segment: preamble, blocks, seal. FORMAT.md, sections 2, 3 and 6.
//
//   Stage ─► Stage ─► … ─► WriteStaged: one vectored write ─► Sync
//
// Keeps the chain (numbers, hashes, incarnation) and the durability watermark; knows nothing of
// records. Every block starts on a 4096 boundary, so no sector that holds one is written twice.
// Zeros may be written ahead of the blocks: they take the space, and a block that replaces zeros
// changes nothing but data, which makes its sync cheaper.

#ifndef JOURNAL_SEGMENT_WRITER_H_
#define JOURNAL_SEGMENT_WRITER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "journal/format/aligned_buffer.h"
#include "journal/format/block_header.h"
#include "journal/format/preamble.h"
#include "journal/format/segment_index.h"
#include "journal/journal_state.h"
#include "journal/sealed_segment.h"
#include "journal/segment_scan.h"
#include "journal/storage/storage.h"

namespace journal {

// A file in which the first `zero_bytes` are zeros, durably.
struct PreparedFile {
  std::string name;
  std::unique_ptr<File> file;
  uint64_t zero_bytes = 0;
};

// Not thread-safe: owned by a SegmentChain, whose owner makes failures sticky.
class SegmentWriter {
 public:
  // Begins a segment where the log stands. Returns once the file, its preamble and its name are
  // durable: no block is ever written behind a preamble that might vanish.
  static absl::StatusOr<std::unique_ptr<SegmentWriter>> Create(Directory& directory,
                                                               Preamble preamble);

  // For Create() and Adopt().
  SegmentWriter(std::unique_ptr<File> file, Preamble preamble, uint64_t zero_end);

  // Goes on after the prefix of an unsealed segment; everything up to there is durable.
  SegmentWriter(std::unique_ptr<File> file, const SegmentState& state);

  // A file that was prepared under another name becomes the segment.
  static absl::StatusOr<std::unique_ptr<SegmentWriter>> Adopt(Directory& directory,
                                                              PreparedFile prepared,
                                                              Preamble preamble);

  // Completes a data block: `header` describes the payload that stands in `block` after room for
  // the header. `block` stays as it is until WriteStaged().
  void Stage(BlockHeader header, AlignedBuffer& block);
  // Completes a block of `kind` in `block`, with `control` in it.
  void StageWithoutRecords(BlockKind kind, AlignedBuffer& block, uint64_t control = 0);

  // One write for all blocks that were staged.
  absl::Status WriteStaged();

  // Both, for a block of its own.
  absl::Status WriteBlockWithoutRecords(BlockKind kind);

  // Makes the file zeros up to `end`, from where it ends by now. RESOURCE_EXHAUSTED is no harm:
  // nothing that counts was written.
  absl::Status ZeroUpTo(uint64_t end);

  // Returns once every block is durable; advances the watermark.
  absl::Status Sync();

  // Sync, SEAL block, Sync, footer, Sync: a valid footer proves that all before it was durable.
  // `replaced`: where the log stands behind the SEAL block that this one replaces.
  absl::Status Seal(const engine::Digest& log_digest, const engine::Digest& log_chain,
                    const std::optional<LogPosition>& replaced = std::nullopt);
  // The last part alone, for a segment whose SEAL block is there.
  absl::Status WriteFooter(const engine::Digest& log_digest, const engine::Digest& log_chain);

  const Preamble& preamble() const { return preamble_; }
  const LogPosition& position() const { return position_; }
  uint64_t end_offset() const { return end_offset_; }  // Of what is written and staged.
  uint64_t zero_end() const { return zero_end_; }      // Not before end_offset().
  uint64_t block_count() const { return blocks_.size(); }
  engine::SequenceNumber written_sequence() const { return written_sequence_; }
  engine::SequenceNumber durable_sequence() const { return durable_sequence_; }
  uint64_t durable_block() const { return durable_block_; }
  uint64_t durable_block_hash() const { return durable_block_hash_; }
  bool all_durable() const { return durable_block_ + 1 == position_.next_block; }
  // The newest block says less than is known to be durable.
  bool watermark_unwritten() const { return durable_sequence_ > written_watermark_; }
  // REQUIRES: sealed, and with these digests.
  SealedSegment Sealed(const LogDigests& digests) const;
  bool is_sparse() const { return IsSparse(blocks_, end_offset_); }

 private:
  void StageHeader(BlockHeader header, AlignedBuffer& block);
  void Complete(BlockHeader& header, AlignedBuffer& block);

  const std::unique_ptr<File> file_;
  const Preamble preamble_;
  const uint64_t seed_;
  LogPosition position_;
  uint64_t end_offset_ = 0;
  uint64_t zero_end_ = 0;
  uint64_t raw_bytes_ = 0;

  // Staged: parts of one write, which begins at written_end_.
  std::vector<engine::Bytes> parts_;
  uint64_t written_end_ = 0;
  engine::SequenceNumber written_sequence_;

  std::vector<BlockEntry> blocks_;
  uint64_t durable_block_ = 0;
  uint64_t durable_block_hash_ = 0;
  engine::SequenceNumber durable_sequence_;
  engine::SequenceNumber written_watermark_;
  AlignedBuffer empty_block_{kBlockHeaderBytes};
};

}  // namespace journal

#endif  // JOURNAL_SEGMENT_WRITER_H_
