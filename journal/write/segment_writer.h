// Writes one segment: preamble, blocks, seal. FORMAT.md, sections 2, 3 and 6.
//
//   Stage ─► Stage ─► … ─► WriteStaged: one vectored write ─► Sync
//
// Maintains the chain (numbers, hashes, incarnation) and the watermark; knows nothing of records.
// Every block starts on a 4096 boundary, so no sector that holds a block is written twice. Zeros
// may be written ahead of the blocks: they reserve the space, and a block that overwrites zeros
// changes no file metadata, which makes its sync cheaper.

#ifndef JOURNAL_WRITE_SEGMENT_WRITER_H_
#define JOURNAL_WRITE_SEGMENT_WRITER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "journal/format/aligned_buffer.h"
#include "journal/format/block_header.h"
#include "journal/format/format.h"
#include "journal/format/preamble.h"
#include "journal/format/segment_index.h"
#include "journal/log_digest.h"
#include "journal/recovery/segment_inspection.h"
#include "journal/storage/storage.h"

namespace journal {

// A regular value type.
struct SealedSegment {
  uint64_t segment_index = 0;
  uint64_t file_bytes = 0;
  LogPosition end;  // After its SEAL block; the next segment's preamble agrees with it.
  LogDigests digests;
};

inline SealedSegment SealedOf(const SegmentState& segment, const LogDigests& digests) {
  return {.segment_index = segment.segment_index,
          .file_bytes = segment.file_bytes,
          .end = segment.position,
          .digests = digests};
}

// Whether compaction may halve a segment of `file_bytes`: at least half of it is blocks of one
// page, which are nearly empty or not compressed.
inline bool IsSparse(const std::vector<BlockEntry>& blocks, uint64_t file_bytes) {
  uint64_t bytes = 0;
  for (const BlockEntry& block : blocks) {
    if (block.stored_bytes == kAlignment) bytes += block.stored_bytes;
  }
  return 2 * bytes >= file_bytes;
}

// The open file `next.zeros`, whose first `zero_bytes` bytes are zeros, durably.
struct PreparedFile {
  std::unique_ptr<File> file = nullptr;  // Null: there is none.
  uint64_t zero_bytes = 0;
};

// Not thread-safe: owned by its caller, which never calls it again after an error.
class SegmentWriter {
 public:
  // Begins a segment at the position in `preamble`, whose segment_uuid it derives, in a new file or
  // in the prepared one. Returns once the file, its preamble and its name are durable, so that no
  // block is written after a preamble that may be lost.
  static absl::StatusOr<std::unique_ptr<SegmentWriter>> Create(Directory& directory,
                                                               Preamble preamble,
                                                               PreparedFile prepared = {});

  // For Create() and copies of a segment.
  SegmentWriter(std::unique_ptr<File> file, Preamble preamble, uint64_t zero_end);

  // Continues after the valid prefix of an existing segment. REQUIRES: the prefix is durable.
  SegmentWriter(std::unique_ptr<File> file, const SegmentState& state);

  // Stages a DATA block: completes `header` and stores it at the front of `block`, before the
  // payload that it describes. The caller leaves `block` unchanged until WriteStaged().
  void Stage(BlockHeader header, AlignedBuffer& block);
  // Stages a block of `kind` without records, with `control` in its header. Overwrites `block`.
  void StageWithoutRecords(BlockKind kind, AlignedBuffer& block, uint64_t control = 0);

  // Writes all staged blocks in one call.
  absl::Status WriteStaged();

  // Stages and writes one block. REQUIRES: no block is staged.
  absl::Status WriteBlockWithoutRecords(BlockKind kind);

  // Writes zeros from zero_end() to `end`. RESOURCE_EXHAUSTED does no harm: no block is affected.
  absl::Status ZeroUpTo(uint64_t end);

  // Makes every written block durable and advances the watermark. REQUIRES: no block is staged.
  absl::Status Sync();

  // Writes the staged blocks; then Sync, SEAL block, Sync, footer, Sync: a valid footer proves that
  // all bytes before it were durable. Closes the file. `replaced` is the position after the SEAL
  // block that this one replaces (FORMAT.md, section 14).
  absl::Status Seal(const LogDigests& digests,
                    const std::optional<LogPosition>& replaced = std::nullopt);

  // Writes the footer alone, for a segment that already has its SEAL block. Closes the file.
  absl::Status WriteFooter(const LogDigests& digests);

  const Preamble& preamble() const { return preamble_; }
  const LogPosition& position() const { return position_; }
  uint64_t end_offset() const { return end_offset_; }  // After all written and staged blocks.
  uint64_t zero_end() const { return zero_end_; }      // The end of the written zeros.
  uint64_t block_count() const { return blocks_.size(); }
  engine::SequenceNumber written_sequence() const { return written_sequence_; }
  engine::SequenceNumber durable_sequence() const { return durable_sequence_; }
  uint64_t durable_block() const { return durable_block_; }
  uint64_t durable_block_hash() const { return durable_block_hash_; }
  bool all_durable() const { return durable_block_ + 1 == position_.next_block; }
  // Whether the newest block carries an older watermark than the current one.
  bool watermark_unwritten() const { return durable_sequence_ > written_watermark_; }
  // REQUIRES: Seal() was called with these digests.
  SealedSegment Sealed(const LogDigests& digests) const;
  bool is_sparse() const { return IsSparse(blocks_, end_offset_); }

 private:
  void StageHeader(BlockHeader header, AlignedBuffer& block);
  void Complete(BlockHeader& header, AlignedBuffer& block);
  void NoteAllWritten();
  void NoteAllDurable();

  const std::unique_ptr<File> file_;
  const Preamble preamble_;
  const uint64_t seed_;
  LogPosition position_;
  uint64_t end_offset_ = 0;
  uint64_t zero_end_ = 0;
  uint64_t raw_bytes_ = 0;

  // The staged blocks: parts of one write at written_end_.
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

#endif  // JOURNAL_WRITE_SEGMENT_WRITER_H_
