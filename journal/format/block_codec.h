// Body ◄──► payload: the columns transform and zstd, if they save space. FORMAT.md, section 5.
//
//   body ──► columns ──► zstd ──► payload        when that takes fewer 4096-byte units
//   body ─────────────────────► payload        otherwise

#ifndef JOURNAL_FORMAT_BLOCK_CODEC_H_
#define JOURNAL_FORMAT_BLOCK_CODEC_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "journal/format/aligned_buffer.h"
#include "journal/format/batch.h"
#include "journal/format/block_header.h"
#include "journal/format/columns_transform.h"
#include "journal/format/compression.h"
#include "journal/record.h"

namespace journal {

// The offset of the rows in an uncompressed block.
inline constexpr size_t kRowsOffsetInBlock = kBlockHeaderBytes + kRowsOffset;

// Not thread-safe: owned by its caller. Reuses its memory.
class BlockEncoder {
 public:
  // Without a level the encoder compresses nothing.
  explicit BlockEncoder(std::optional<int> zstd_level, uint8_t delta_mask = kDefaultDeltaMask);

  // Writes payload and padding into `block`, after room for the header, and sets the fields of
  // `header` that describe them. REQUIRES: header.record_count is set; the rows of `body` begin at
  // kRowsOffset.
  void Encode(engine::Bytes body, BlockHeader& header, AlignedBuffer& block);

 private:
  bool EncodeCompressed(engine::Bytes body, BlockHeader& header, AlignedBuffer& block);

  std::optional<Compressor> compressor_;
  const uint8_t delta_mask_;
  AlignedBuffer columns_{kRowsOffset};
};

// Errors: DATA_LOSS (the hash of `payload` is not the header's).
absl::Status CheckPayload(const BlockHeader& header, engine::Bytes payload);

// The decoded records of a block. Not thread-safe: owned by its caller. Reuses its memory.
class DecodedBlock {
 public:
  Batch records() const { return batch_.records(); }

 private:
  friend class BlockDecoder;

  AlignedBuffer body_{kRowsOffset};
  BatchDecoder batch_;
};

// Not thread-safe: owned by its caller. Reuses its memory.
class BlockDecoder {
 public:
  // Decodes a DATA block and validates its rows: dense sequences from header.first_sequence,
  // monotone time between the header's two timestamps. `payload` is aligned to 8 and outlives the
  // use of `to`. REQUIRES: CheckPayload() returned OK.
  // Errors: DATA_LOSS, UNIMPLEMENTED (rows with content this build does not know).
  absl::Status Decode(const BlockHeader& header, engine::Bytes payload, DecodedBlock& to);

 private:
  absl::StatusOr<engine::Bytes> Body(const BlockHeader& header, engine::Bytes payload,
                                     AlignedBuffer& to);

  Decompressor decompressor_;
  AlignedBuffer columns_{kRowsOffset};
};

}  // namespace journal

#endif  // JOURNAL_FORMAT_BLOCK_CODEC_H_
