// Where each live order is, by its id.
//
//   id       [ page number                        | place in the page, 10 bits ]
//   pages    page number ─► { page, live orders of it }     a ring over the pages in use
//   page     1,024 slots of four bytes; nowhere where there is no live order
//
// Ids are sequence numbers: dense and ascending, so the id is the place and nothing is hashed or
// compared. Most orders live briefly, so the pages in use are mostly the newest; a page whose last
// order ended is used again for another. A day of 10^9 commands with 10^5 live orders takes at most
// 10^5 pages of 4 KiB and a ring of 10^6 entries, whatever the lifetimes.

#ifndef ENGINE_BOOK_ORDER_INDEX_H_
#define ENGINE_BOOK_ORDER_INDEX_H_

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/book/order_slot.h"
#include "engine/types/ids.h"

namespace engine {

// Not thread-safe: owned by the exchange.
class OrderIndex {
 public:
  OrderIndex();
  OrderIndex(const OrderIndex&) = delete;
  OrderIndex& operator=(const OrderIndex&) = delete;

  // Nowhere, where it is not live. Any id.
  Slot Find(OrderId id) const {
    const uint64_t number = NumberOf(id);
    if (number - oldest_ > mask_) [[unlikely]]
      return Slot();
    return (*EntryOf(number).page)[PlaceOf(id)];
  }

  // REQUIRES: later than any id that was inserted before.
  void Insert(OrderId id, Slot order) {
    const uint64_t number = NumberOf(id);
    if (number != newest_) [[unlikely]]
      BeginPage(number);
    Entry& entry = EntryOf(number);
    (*entry.page)[PlaceOf(id)] = order;
    ++entry.live;
    ++size_;
  }

  // REQUIRES: it is live.
  void Erase(OrderId id) {
    const uint64_t number = NumberOf(id);
    Entry& entry = EntryOf(number);
    (*entry.page)[PlaceOf(id)] = Slot();
    --size_;
    if (--entry.live == 0) [[unlikely]]
      Retire(number);
  }

  uint64_t size() const { return size_; }

  // The live orders with ids from `first` on, in their order. Costs what pages there are.
  template <typename Visit>
  void VisitFrom(OrderId first, Visit visit) const {
    if (size_ == 0) return;
    uint64_t place = PlaceOf(first);
    uint64_t number = NumberOf(first);
    if (number < oldest_) {
      number = oldest_;
      place = 0;
    }
    for (; number <= newest_; ++number, place = 0) {
      const Entry& entry = EntryOf(number);
      if (entry.live == 0) continue;
      for (; place < entry.page->size(); ++place) {
        if ((*entry.page)[place] != Slot()) visit((*entry.page)[place]);
      }
    }
  }

  // Has what Find reads come closer. Any id.
  void Prefetch(OrderId id) const {
    __builtin_prefetch(&(*EntryOf(NumberOf(id)).page)[PlaceOf(id)], 1);
  }

 private:
  static constexpr int kPlaceBits = 10;
  using Page = std::array<Slot, size_t{1} << kPlaceBits>;
  struct Entry {
    Page* page = nullptr;  // An empty one where no order of it is live.
    uint32_t live = 0;
  };

  static uint64_t NumberOf(OrderId id) { return id.value() >> kPlaceBits; }
  static uint64_t PlaceOf(OrderId id) { return id.value() % (uint64_t{1} << kPlaceBits); }
  const Entry& EntryOf(uint64_t number) const { return ring_[number & mask_]; }
  Entry& EntryOf(uint64_t number) { return ring_[number & mask_]; }

  void BeginPage(uint64_t number);
  void Retire(uint64_t number);
  void GrowRing();
  Page* TakePage();

  static Page empty_;  // Never written.

  std::unique_ptr<Entry[]> ring_;
  uint64_t mask_ = 0;
  uint64_t oldest_ = 0;  // Of the pages in use; the ring has room for mask_ + 1 from there on.
  uint64_t newest_ = UINT64_MAX;  // The page that Insert writes to; kept when its orders end.
  uint64_t size_ = 0;
  std::vector<Page*> unused_;
  std::vector<std::unique_ptr<Page[]>> blocks_;
};

}  // namespace engine

#endif  // ENGINE_BOOK_ORDER_INDEX_H_
