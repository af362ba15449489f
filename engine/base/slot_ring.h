// Passes small values from one thread to another, one at a time, as soon as they are published.
//
//   writer   Claim() ─► fill ─► Publish()        slots   [ turn 8 | turn 9 | turn 2 | turn 3 ]
//   reader   Front() ─► use  ─► Pop()                             └ next      └ of the round before
//
// A slot is a cache line that holds the value and its turn. The reader waits for the turn, and the
// value arrives with it: one cache line crosses between the cores.

#ifndef ENGINE_BASE_SLOT_RING_H_
#define ENGINE_BASE_SLOT_RING_H_

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "engine/base/check.h"
#include "engine/base/large_block.h"

namespace engine {

// One thread writes (Claim, Publish), another reads (Front, Pop). Neither call waits.
template <typename T>
class SlotRing {
 public:
  static_assert(std::is_trivially_copyable_v<T>);
  static_assert(sizeof(T) <= 56, "a value and its turn share a cache line");

  // Room for `capacity` values. REQUIRES: a power of two.
  explicit SlotRing(size_t capacity) : mask_(capacity - 1), slots_(capacity) {
    CHECK(std::has_single_bit(capacity)) << capacity;
  }
  SlotRing(const SlotRing&) = delete;
  SlotRing& operator=(const SlotRing&) = delete;

  // ---- The writer.

  // The slot of the next value, with an old one in it; null if the ring is full.
  T* Claim() {
    if (written_ - popped_seen_ > mask_) [[unlikely]] {
      popped_seen_ = popped_.load(std::memory_order_acquire);
      if (written_ - popped_seen_ > mask_) return nullptr;
    }
    return &slots_[written_ & mask_].value;
  }
  // Hands over the slot that Claim() returned. REQUIRES: it is filled.
  void Publish() {
    Slot& slot = slots_[written_ & mask_];
    slot.turn.store(++written_, std::memory_order_release);
  }

  // ---- The reader.

  // The oldest value that is published; null if there is none. Valid until Pop().
  const T* Front() const {
    const Slot& slot = slots_[read_ & mask_];
    return slot.turn.load(std::memory_order_acquire) == read_ + 1 ? &slot.value : nullptr;
  }
  // Releases what Front() returned. REQUIRES: it was not null.
  void Pop() { popped_.store(++read_, std::memory_order_release); }

 private:
  struct alignas(64) Slot {
    T value = {};
    std::atomic<uint64_t> turn = 0;  // The number of its value, from 1 on; 0: none yet.
  };
  static_assert(sizeof(Slot) == 64);

  const uint64_t mask_;
  std::vector<Slot, LargeAllocator<Slot>> slots_;

  // The writer's own. Numbers count values and never wrap.
  alignas(64) uint64_t written_ = 0;
  uint64_t popped_seen_ = 0;

  // Written by the reader.
  alignas(64) std::atomic<uint64_t> popped_ = 0;
  // The reader's own.
  uint64_t read_ = 0;
};

}  // namespace engine

#endif  // ENGINE_BASE_SLOT_RING_H_
