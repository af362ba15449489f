// Blocks on their way from the thread that fills them to the one that writes them: a fixed number,
// which is what bounds a writer's memory.
//
//      freed            handed
//   ──────┼────────────────┼───────────►
//    free │ being written  │ being filled: one
//
// Each side touches only the blocks that are its own; the two counts hand them over.

#ifndef JOURNAL_BLOCK_RING_H_
#define JOURNAL_BLOCK_RING_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/check.h"
#include "journal/format/aligned_buffer.h"
#include "journal/format/block_codec.h"
#include "journal/open_block.h"
#include "journal/segment_chain.h"

namespace journal {

// What is handed over: a block of records, or something to be done between two of them.
struct ClosedBlock {
  enum class Kind { kRecords, kControl, kClose };

  explicit ClosedBlock(uint32_t records_max) : records(records_max) {}

  Kind kind = Kind::kRecords;
  OpenBlock records;
  uint64_t control = 0;
  LogDigests digests;        // Of the log up to here.
  uint64_t bytes_bound = 0;  // What it takes of its file, at most.

  AlignedBuffer encoded{kRowsOffsetInBlock};  // The writing side's.
};

// Thread-safe for one filling and one writing thread; each function names whose it is.
class BlockRing {
 public:
  BlockRing(size_t block_count, uint32_t records_max) {
    for (size_t i = 0; i < block_count; ++i) {
      blocks_.push_back(std::make_unique<ClosedBlock>(records_max));
    }
    filling_ = blocks_.front().get();
  }

  // The filling side: the block to fill, once there is one.
  bool has_free() const {
    return handed_.load(std::memory_order_relaxed) - freed_.load(std::memory_order_acquire) <
           blocks_.size();
  }
  ClosedBlock& filling() { return *filling_; }
  const ClosedBlock& filling() const { return *filling_; }
  void HandOver() {
    CHECK(has_free());
    const uint64_t handed = handed_.load(std::memory_order_relaxed) + 1;
    filling_ = &At(handed);
    handed_.store(handed, std::memory_order_release);
  }
  // Everything handed over has been written.
  bool all_freed() const {
    return handed_.load(std::memory_order_relaxed) == freed_.load(std::memory_order_acquire);
  }

  // The writing side: how many were handed over in all, and the one with this number, from 0.
  uint64_t handed() const { return handed_.load(std::memory_order_acquire); }
  ClosedBlock& At(uint64_t number) { return *blocks_[number % blocks_.size()]; }
  const ClosedBlock& At(uint64_t number) const { return *blocks_[number % blocks_.size()]; }
  void FreeUpTo(uint64_t number) { freed_.store(number, std::memory_order_release); }

 private:
  std::vector<std::unique_ptr<ClosedBlock>> blocks_;
  ClosedBlock* filling_;  // Asked for with each record, where At() divides.

  // On lines of their own: each is written by one thread and read by the other.
  alignas(64) std::atomic<uint64_t> handed_ = 0;
  alignas(64) std::atomic<uint64_t> freed_ = 0;
};

}  // namespace journal

#endif  // JOURNAL_BLOCK_RING_H_
