// Encodes a block as small as it gets: tries which words are better stored as differences.
//
// Which these are depends on the flow: order numbers of cancels climb with the log in one, and jump
// in another. One pass over the words, by trial on the block itself.

#ifndef JOURNAL_BLOCK_PACKER_H_
#define JOURNAL_BLOCK_PACKER_H_

#include <cstdint>

#include "engine/base/bytes.h"
#include "journal/format/aligned_buffer.h"
#include "journal/format/block_codec.h"
#include "journal/format/block_header.h"

namespace journal {

// Not thread-safe: owned by its user. Keeps its memory.
class BlockPacker {
 public:
  explicit BlockPacker(int zstd_level) : zstd_level_(zstd_level) {}

  // As BlockEncoder::Encode(), into block().
  void Encode(engine::Bytes body, BlockHeader& header);

  AlignedBuffer& block() { return block_; }

 private:
  uint64_t StoredWith(uint8_t delta_mask, int level, engine::Bytes body, BlockHeader& header);

  const int zstd_level_;
  uint8_t best_mask_ = kDefaultDeltaMask;  // Of the block before: a good place to begin.
  AlignedBuffer block_{kRowsOffsetInBlock};
};

}  // namespace journal

#endif  // JOURNAL_BLOCK_PACKER_H_
