// The client ids that an account has ever used, so that none is accepted twice.
//
//   id ─► block of 512 ids ─► one bit
//
// Ids that a client counts up cost a bit each; ids far apart cost a block each, 64 bytes and their
// place in a table: at most 170. Ids are never forgotten, so their number is limited.

#ifndef ENGINE_VIEWS_USED_IDS_H_
#define ENGINE_VIEWS_USED_IDS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/container/flat_hash_map.h"

namespace engine {

// Not thread-safe: owned by its account.
class UsedIds {
 public:
  static constexpr size_t kBlocksMax = size_t{1} << 20;

  bool Contains(uint64_t id) const {
    const auto block = blocks_.find(id / kIdsInBlock);
    return block != blocks_.end() && (block->second[WordOf(id)] & BitOf(id)) != 0;
  }

  // Whether there is room for this id: of one in a block that exists, always.
  bool HasRoomFor(uint64_t id) const {
    return blocks_.size() < kBlocksMax || blocks_.contains(id / kIdsInBlock);
  }

  void Add(uint64_t id) { blocks_[id / kIdsInBlock][WordOf(id)] |= BitOf(id); }

  // The ids as they are saved: blocks that are not empty, by number, which is the first id / 512.
  static constexpr uint64_t kIdsInBlock = 512;
  static constexpr uint64_t kBitsInWord = 64;
  static constexpr uint64_t kBlockNumberMax = UINT64_MAX / kIdsInBlock;
  using Block = std::array<uint64_t, kIdsInBlock / kBitsInWord>;

  const absl::flat_hash_map<uint64_t, Block>& blocks() const { return blocks_; }
  // REQUIRES: `number` is at most kBlockNumberMax, and not there yet.
  void AddBlock(uint64_t number, const Block& block) { blocks_[number] = block; }

 private:
  static size_t WordOf(uint64_t id) { return id % kIdsInBlock / kBitsInWord; }
  static uint64_t BitOf(uint64_t id) { return uint64_t{1} << (id % kBitsInWord); }

  absl::flat_hash_map<uint64_t, Block> blocks_;
};

}  // namespace engine

#endif  // ENGINE_VIEWS_USED_IDS_H_
