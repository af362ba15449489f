#include "journal/block_packer.h"

#include <cstdint>

namespace journal {
namespace {

// Fast, and ranks masks in the same order as the slow levels.
constexpr int kTrialLevel = 1;

}  // namespace

void BlockPacker::Encode(engine::Bytes body, BlockHeader& header) {
  uint64_t best = StoredWith(best_mask_, kTrialLevel, body, header);
  for (int word = 0; word < 8; ++word) {
    const auto mask = static_cast<uint8_t>(best_mask_ ^ 1 << word);
    const uint64_t stored = StoredWith(mask, kTrialLevel, body, header);
    if (stored >= best) continue;
    best = stored;
    best_mask_ = mask;
  }
  StoredWith(best_mask_, zstd_level_, body, header);
}

uint64_t BlockPacker::StoredWith(uint8_t delta_mask, int level, engine::Bytes body,
                                 BlockHeader& header) {
  BlockEncoder(level, delta_mask).Encode(body, header, block_);
  return header.payload_bytes;
}

}  // namespace journal
