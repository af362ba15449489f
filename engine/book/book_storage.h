// The memory of all books of an exchange: orders and price levels in one block.
//
//   unit   0       1       2       3       4       5
//        [  reserved    ][    order     ][ level ][ level ] ...      32 bytes each
//
// A slot is the number of a unit, half as long as a pointer. Orders and levels share the block so
// that a link may lead to either (order_slot.h). What ends is used again first: it is still in the
// cache. Doubling copies the block, in one of many commands; after that nothing is allocated.

#ifndef ENGINE_BOOK_BOOK_STORAGE_H_
#define ENGINE_BOOK_BOOK_STORAGE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/book/order_slot.h"
#include "engine/book/resting_order.h"
#include "engine/types/ids.h"

namespace engine {

// Not thread-safe: owned by the exchange. References into it last until the next New.
class BookStorage {
 public:
  BookStorage() { Grow(); }
  BookStorage(const BookStorage&) = delete;
  BookStorage& operator=(const BookStorage&) = delete;

  // An order whose fields are whatever they were.
  Slot NewOrder() {
    if (free_order_ != Slot()) {
      const Slot slot = free_order_;
      free_order_ = links(slot).next;
      return slot;
    }
    return NewLine();
  }
  void FreeOrder(Slot slot) { Free(slot, free_order_); }

  // A level without orders; its other fields are whatever they were.
  Slot NewLevel() {
    if (free_level_ == Slot()) [[unlikely]]
      NewLevels();
    const Slot slot = free_level_;
    free_level_ = links(slot).next;
    links(slot) = {.next = slot, .prev = slot};
    return slot;
  }
  void FreeLevel(Slot slot) { Free(slot, free_level_); }

  OrderSlot& order(Slot slot) const { return *At<OrderSlot>(slot); }
  PriceLevel& level(Slot slot) const { return *At<PriceLevel>(slot); }
  QueueLinks& links(Slot slot) const { return *At<QueueLinks>(slot); }

  // REQUIRES: marked with kExtras.
  OrderExtras& extras(Slot slot) { return extras_[slot.value() / 2]; }
  const OrderExtras& extras(Slot slot) const { return extras_[slot.value() / 2]; }
  GroupId GroupOf(Slot slot) const {
    return order(slot).marks.has(OrderMarks::kExtras) ? extras(slot).group : GroupId();
  }
  // Gives the order extras, and the mark.
  void SetExtras(Slot slot, const OrderExtras& extras);

  // The order as a value. REQUIRES: it rests.
  RestingOrder ValueOf(Slot slot) const;

  void Prefetch(Slot slot) const { __builtin_prefetch(At<OrderSlot>(slot), 1); }

 private:
  static constexpr uint32_t kUnitBytes = 32;
  struct alignas(64) Line {
    std::byte bytes[64];
  };

  template <typename T>
  T* At(Slot slot) const {
    return reinterpret_cast<T*>(reinterpret_cast<std::byte*>(lines_.get()) +
                                size_t{slot.value()} * kUnitBytes);
  }
  void Free(Slot slot, Slot& first) {
    links(slot).next = first;
    first = slot;
  }
  Slot NewLine() {
    if (used_ == capacity_) [[unlikely]]
      Grow();
    return Slot(2 * used_++);
  }
  void NewLevels();
  void Grow();

  std::unique_ptr<Line[]> lines_;
  uint32_t used_ = 1;  // The first line is nowhere.
  uint32_t capacity_ = 0;
  Slot free_order_;
  Slot free_level_;
  std::vector<OrderExtras> extras_;  // By line; empty until an order has any.
};

}  // namespace engine

#endif  // ENGINE_BOOK_BOOK_STORAGE_H_
