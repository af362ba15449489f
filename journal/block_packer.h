// Encodes a block as small as possible: searches for the words to store as differences.
//
// The best words depend on the data: order numbers of cancels may ascend with the log, or jump. One
// pass over the words, with trial encodings of the block itself.

#ifndef JOURNAL_BLOCK_PACKER_H_
#define JOURNAL_BLOCK_PACKER_H_

#include <cstdint>

#include "engine/base/bytes.h"
#include "journal/format/aligned_buffer.h"
#include "journal/format/block_codec.h"
#include "journal/format/block_header.h"

namespace journal {

// Not thread-safe: owned by its caller. Reuses its memory.
class BlockPacker {
 public:
  explicit BlockPacker(int zstd_level) : zstd_level_(zstd_level) {}

  // As BlockEncoder::Encode(), with the result in block().
  void Encode(engine::Bytes body, BlockHeader& header);

  AlignedBuffer& block() { return block_; }

 private:
  uint64_t StoredWith(uint8_t delta_mask, int level, engine::Bytes body, BlockHeader& header);

  const int zstd_level_;
  uint8_t best_mask_ = kDefaultDeltaMask;  // Of the previous block: the start of the next search.
  AlignedBuffer block_{kRowsOffsetInBlock};
};

}  // namespace journal

#endif  // JOURNAL_BLOCK_PACKER_H_
