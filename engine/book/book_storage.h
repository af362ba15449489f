// The memory of all books of an exchange: orders and price levels in one block.
//
//   unit   0               8               16      20      24
//        [   null slot    ][    order     ][ level ][ level ] ...      8 bytes each
//
// A slot is the number of a unit, half as long as a pointer. Units have eight bytes because address
// arithmetic scales by at most eight: following a link is one instruction. Orders and levels share
// the block so that a link may lead to either (order_slot.h). The null slot is an order with id
// zero and a mark of its own: a lookup need not check first whether there is an order. The slot
// that was freed last is reused first, because it is still cached. When the block is full, it is
// doubled and copied; otherwise nothing is allocated.

#ifndef ENGINE_BOOK_BOOK_STORAGE_H_
#define ENGINE_BOOK_BOOK_STORAGE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/inline.h"
#include "engine/base/large_block.h"
#include "engine/base/prefetch.h"
#include "engine/book/ladder_memory.h"
#include "engine/book/order_slot.h"
#include "engine/state/resting_order.h"
#include "engine/types/ids.h"
#include "engine/types/money.h"

namespace engine {

// Resolves slots to memory, until the next New. A function that holds this value does not have to
// reload the block's address after each write.
class SlotMemory {
 public:
  static constexpr uint32_t kUnitBytes = 8;  // The largest possible: see above.
  static constexpr uint32_t kOrderUnits = sizeof(OrderSlot) / kUnitBytes;
  static constexpr uint32_t kLevelUnits = sizeof(PriceLevel) / kUnitBytes;

  explicit SlotMemory(std::byte* block) : block_(block) {}

  OrderSlot& order(Slot slot) const { return *At<OrderSlot>(slot); }
  PriceLevel& level(Slot slot) const { return *At<PriceLevel>(slot); }
  QueueLinks& links(Slot slot) const { return *At<QueueLinks>(slot); }
  void Prefetch(Slot slot) const { PrefetchToWrite(At<OrderSlot>(slot)); }

 private:
  template <typename T>
  ENGINE_ALWAYS_INLINE T* At(Slot slot) const {
    return reinterpret_cast<T*>(block_ + size_t{slot.value()} * kUnitBytes);
  }

  std::byte* block_;
};

// Not thread-safe: owned by the exchange. References into it are valid until the next New.
class BookStorage {
 public:
  BookStorage();
  BookStorage(const BookStorage&) = delete;
  BookStorage& operator=(const BookStorage&) = delete;

  // Allocates an order. Its fields are unspecified.
  ENGINE_ALWAYS_INLINE Slot NewOrder() { return has_free_order() ? TakeFreeOrder() : NewLine(); }
  // NewOrder() from the free list. REQUIRES: has_free_order().
  ENGINE_ALWAYS_INLINE Slot TakeFreeOrder() {
    const Slot slot = free_order_;
    free_order_ = links(slot).next;
    return slot;
  }
  bool has_free_order() const { return free_order_ != Slot(); }
  // The slot that TakeFreeOrder() takes next. REQUIRES: has_free_order().
  Slot next_free_order() const { return free_order_; }
  ENGINE_ALWAYS_INLINE void FreeOrder(Slot slot) { FreeOrder(memory(), slot); }
  ENGINE_ALWAYS_INLINE void FreeOrder(SlotMemory memory, Slot slot) {
    FreeOrder(memory.order(slot), slot);
  }
  ENGINE_ALWAYS_INLINE void FreeOrder(OrderSlot& order, Slot slot) {
    order.links.next = free_order_;
    free_order_ = slot;
  }

  // Allocates a level without orders. Its other fields are unspecified.
  Slot NewLevel() {
    if (!has_free_level()) [[unlikely]]
      NewLevels();
    return TakeFreeLevel();
  }
  bool has_free_level() const { return free_level_ != Slot(); }
  // NewLevel() from the free list. REQUIRES: has_free_level().
  ENGINE_ALWAYS_INLINE Slot TakeFreeLevel() {
    const Slot slot = free_level_;
    free_level_ = links(slot).next;
    links(slot) = {.next = slot, .prev = slot};
    return slot;
  }
  void FreeLevel(Slot slot) {
    links(slot).next = free_level_;
    free_level_ = slot;
  }

  // Whether the block is larger than the caches near the core.
  bool is_far() const { return capacity_ >= kFarLines; }
  // Whether to prefetch for coming commands: the block is far, or its owner has called LookAhead()
  // because its own data is.
  bool looks_ahead() const { return looks_ahead_; }
  void LookAhead() { looks_ahead_ = true; }

  SlotMemory memory() const { return SlotMemory(block_.get()); }
  OrderSlot& order(Slot slot) const { return memory().order(slot); }
  PriceLevel& level(Slot slot) const { return memory().level(slot); }
  QueueLinks& links(Slot slot) const { return memory().links(slot); }

  // REQUIRES: the order has the mark kExtras.
  OrderExtras& extras(Slot slot) { return extras_[LineOf(slot)]; }
  const OrderExtras& extras(Slot slot) const { return extras_[LineOf(slot)]; }
  GroupId GroupOf(Slot slot) const {
    return order(slot).marks.has(OrderMarks::kExtras) ? extras(slot).group : GroupId();
  }
  // Sets the order's extras and the mark kExtras.
  void SetExtras(Slot slot, const OrderExtras& extras);

  // The money that each order keeps reserved, for markets with money. Kept in an array of its own,
  // once KeepRequired() has been called. required() REQUIRES: KeepRequired().
  void KeepRequired();
  Money& required(Slot slot) {
    // An order has as many units as an amount has bytes: the slot is the amount's byte offset.
    static_assert(sizeof(Money) == SlotMemory::kOrderUnits);
    return *reinterpret_cast<Money*>(reinterpret_cast<std::byte*>(required_.data()) + slot.value());
  }

  LadderMemory& ladder_memory() { return ladder_memory_; }

  // The order as a value. REQUIRES: it rests.
  RestingOrder ValueOf(Slot slot) const;

 private:
  // 8 MiB. A line has the size of an order.
  static constexpr uint32_t kFarLines = uint32_t{8 << 20} / sizeof(OrderSlot);

  static uint32_t LineOf(Slot slot) { return slot.value() / SlotMemory::kOrderUnits; }

  ENGINE_ALWAYS_INLINE Slot NewLine() {
    if (used_ == capacity_) [[unlikely]]
      Grow();
    return Slot(SlotMemory::kOrderUnits * used_++);
  }
  ENGINE_COLD void NewLevels();
  ENGINE_COLD void Grow();

  LargeBlock block_;
  uint32_t used_ = 1;      // The first line is the null slot.
  uint32_t capacity_ = 0;  // In lines.
  Slot free_order_;
  Slot free_level_;
  bool looks_ahead_ = false;
  LadderMemory ladder_memory_;
  std::vector<OrderExtras> extras_;  // By line; empty until an order has any.
  std::vector<Money> required_;      // By line; empty until KeepRequired().
};

}  // namespace engine

#endif  // ENGINE_BOOK_BOOK_STORAGE_H_
