// The memory of all books of an exchange: orders and price levels in one block.
//
//   unit   0               8               16      20      24
//        [    nowhere     ][    order     ][ level ][ level ] ...      8 bytes each
//
// A slot is the number of a unit, half as long as a pointer. Units are of eight bytes because a
// processor multiplies by as much on the way: to follow a link is one instruction. Orders and
// levels share the block so that a link may lead to either (order_slot.h). Nowhere is an order of
// id zero with a mark of its own: who looks for one need not ask first whether there is any. What
// ends is used again first: it is still in the cache. Doubling copies the block, in one of many
// commands; after that nothing is allocated.

#ifndef ENGINE_BOOK_BOOK_STORAGE_H_
#define ENGINE_BOOK_BOOK_STORAGE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/inline.h"
#include "engine/base/large_block.h"
#include "engine/base/prefetch.h"
#include "engine/book/order_slot.h"
#include "engine/book/resting_order.h"
#include "engine/types/ids.h"
#include "engine/types/money.h"

namespace engine {

// Where slots are, until the next New. A value: a function that holds one need not ask again after
// each write whether the block is still where it was.
class SlotMemory {
 public:
  static constexpr uint32_t kUnitBytes = 8;  // At most: see above.
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

// Not thread-safe: owned by the exchange. References into it last until the next New.
class BookStorage {
 public:
  BookStorage();
  BookStorage(const BookStorage&) = delete;
  BookStorage& operator=(const BookStorage&) = delete;

  // An order whose fields are whatever they were.
  ENGINE_ALWAYS_INLINE Slot NewOrder() { return has_free_order() ? TakeFreeOrder() : NewLine(); }
  // NewOrder where an order has ended before. REQUIRES: has_free_order().
  ENGINE_ALWAYS_INLINE Slot TakeFreeOrder() {
    const Slot slot = free_order_;
    free_order_ = links(slot).next;
    return slot;
  }
  bool has_free_order() const { return free_order_ != Slot(); }
  // What TakeFreeOrder will take. REQUIRES: has_free_order().
  Slot next_free_order() const { return free_order_; }
  ENGINE_ALWAYS_INLINE void FreeOrder(Slot slot) { FreeOrder(memory(), slot); }
  ENGINE_ALWAYS_INLINE void FreeOrder(SlotMemory memory, Slot slot) {
    FreeOrder(memory.order(slot), slot);
  }
  ENGINE_ALWAYS_INLINE void FreeOrder(OrderSlot& order, Slot slot) {
    order.links.next = free_order_;
    free_order_ = slot;
  }

  // A level without orders; its other fields are whatever they were.
  Slot NewLevel() {
    if (!has_free_level()) [[unlikely]]
      NewLevels();
    return TakeFreeLevel();
  }
  bool has_free_level() const { return free_level_ != Slot(); }
  // The same where one has ended before. REQUIRES: has_free_level().
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

  // Whether it is more than a processor's nearer caches hold.
  bool is_far() const { return capacity_ >= kFarLines; }
  // Whether to have what commands will need fetched ahead: it is far, or its owner has said that
  // what belongs to it is.
  bool looks_ahead() const { return looks_ahead_; }
  void LookAhead() { looks_ahead_ = true; }

  SlotMemory memory() const { return SlotMemory(block_.get()); }
  OrderSlot& order(Slot slot) const { return memory().order(slot); }
  PriceLevel& level(Slot slot) const { return memory().level(slot); }
  QueueLinks& links(Slot slot) const { return memory().links(slot); }

  // REQUIRES: marked with kExtras.
  OrderExtras& extras(Slot slot) { return extras_[LineOf(slot)]; }
  const OrderExtras& extras(Slot slot) const { return extras_[LineOf(slot)]; }
  GroupId GroupOf(Slot slot) const {
    return order(slot).marks.has(OrderMarks::kExtras) ? extras(slot).group : GroupId();
  }
  // Gives the order extras, and the mark.
  void SetExtras(Slot slot, const OrderExtras& extras);

  // What an order keeps reserved, of markets with money: beside the orders, for whoever asked that
  // it be kept. REQUIRES: KeepRequired().
  void KeepRequired();
  Money& required(Slot slot) {
    // An order has as many units as an amount has bytes: its slot says where the amount is.
    static_assert(sizeof(Money) == SlotMemory::kOrderUnits);
    return *reinterpret_cast<Money*>(reinterpret_cast<std::byte*>(required_.data()) + slot.value());
  }

  // The order as a value. REQUIRES: it rests.
  RestingOrder ValueOf(Slot slot) const;

 private:
  // A line of it is as long as an order.
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
  uint32_t used_ = 1;      // The first line is nowhere.
  uint32_t capacity_ = 0;  // Lines.
  Slot free_order_;
  Slot free_level_;
  bool looks_ahead_ = false;
  std::vector<OrderExtras> extras_;  // By line; empty until an order has any.
  std::vector<Money> required_;      // By line; empty until it shall be kept.
};

}  // namespace engine

#endif  // ENGINE_BOOK_BOOK_STORAGE_H_
