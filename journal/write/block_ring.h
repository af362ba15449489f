// A ring of blocks between the thread that fills them and the thread that writes them. The number
// of blocks is fixed, which bounds the writer's memory.
//
//      freed            handed
//   ──────┼────────────────┼───────────►
//    free │ being written  │ being filled: one
//
// Each side touches only its own blocks; the two counters pass ownership.

#ifndef JOURNAL_WRITE_BLOCK_RING_H_
#define JOURNAL_WRITE_BLOCK_RING_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/check.h"
#include "journal/format/aligned_buffer.h"
#include "journal/format/block_codec.h"
#include "journal/log_digest.h"
#include "journal/write/open_block.h"

namespace journal {

// An item of the ring: a block of records, a CONTROL block, or the request to close the journal.
struct ClosedBlock {
  enum class Kind { kRecords, kControl, kClose };

  ClosedBlock(uint32_t records_max, uint32_t attachment_bytes_max)
      : records(records_max, attachment_bytes_max) {}

  Kind kind = Kind::kRecords;
  OpenBlock records;
  uint64_t control = 0;
  LogDigests digests;        // Of the log up to the end of this block.
  uint64_t bytes_bound = 0;  // Upper bound of the file space it takes.

  AlignedBuffer encoded{kRowsOffsetInBlock};  // Used by the writing side only.
};

// Thread-safe for one filling and one writing thread; each group of functions belongs to one side.
class BlockRing {
 public:
  BlockRing(size_t block_count, uint32_t records_max, uint32_t attachment_bytes_max) {
    for (size_t i = 0; i < block_count; ++i) {
      blocks_.push_back(std::make_unique<ClosedBlock>(records_max, attachment_bytes_max));
    }
    filling_ = blocks_.front().get();
  }

  // The filling side. filling() is valid while has_free().
  bool has_free() const { return free_count() != 0; }
  // The block that is being filled included.
  size_t free_count() const {
    return blocks_.size() -
           (handed_.load(std::memory_order_relaxed) - freed_.load(std::memory_order_acquire));
  }
  ClosedBlock& filling() { return *filling_; }
  const ClosedBlock& filling() const { return *filling_; }
  void HandOver() {
    CHECK(has_free());
    const uint64_t handed = handed_.load(std::memory_order_relaxed) + 1;
    filling_ = &At(handed);
    handed_.store(handed, std::memory_order_release);
  }
  // Whether every block handed over has been written.
  bool all_freed() const {
    return handed_.load(std::memory_order_relaxed) == freed_.load(std::memory_order_acquire);
  }

  // The writing side: the number of blocks handed over so far, and the block with this number,
  // counted from 0.
  uint64_t handed() const { return handed_.load(std::memory_order_acquire); }
  ClosedBlock& At(uint64_t number) { return *blocks_[number % blocks_.size()]; }
  void FreeUpTo(uint64_t number) { freed_.store(number, std::memory_order_release); }

 private:
  std::vector<std::unique_ptr<ClosedBlock>> blocks_;
  ClosedBlock* filling_;  // Cached, because each record needs it and At() divides.

  // Each on its own cache line: one thread writes it, the other reads it.
  alignas(64) std::atomic<uint64_t> handed_ = 0;
  alignas(64) std::atomic<uint64_t> freed_ = 0;
};

}  // namespace journal

#endif  // JOURNAL_WRITE_BLOCK_RING_H_
