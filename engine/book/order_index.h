// Finds live orders by id.
//
//   id       [ page number                        | index in the page, 10 bits ]
//   pages    a ring of pages, by page number, from the oldest page in use on
//   page     1,024 slots of four bytes; the null slot if the order is not live
//
// Ids are sequence numbers, dense and ascending, so the id is the index: nothing is hashed or
// compared. Most orders live briefly, so the pages in use are mostly the newest. Pages keep no
// counts: whenever a page begins, a clock hand inspects two others and reclaims those without a
// live order. So the number of pages is at most twice the number of those with a live order, plus a
// few: a day of 10^9 commands with 10^5 live orders takes at most 2 * 10^5 pages of 4 KiB and a
// ring of 10^6 entries, for any order lifetimes.

#ifndef ENGINE_BOOK_ORDER_INDEX_H_
#define ENGINE_BOOK_ORDER_INDEX_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/inline.h"
#include "engine/base/prefetch.h"
#include "engine/book/order_slot.h"
#include "engine/types/ids.h"

namespace engine {

// Not thread-safe: owned by the exchange.
class OrderIndex {
 public:
  OrderIndex();
  OrderIndex(const OrderIndex&) = delete;
  OrderIndex& operator=(const OrderIndex&) = delete;

  // The slot of the order; the null slot if it is not live. Accepts any id.
  ENGINE_ALWAYS_INLINE Slot Find(OrderId id) const {
    if (NumberOf(id) - oldest_ > mask_) [[unlikely]] {
      return Slot();
    }
    return PlaceIn(id);
  }

  // The entry of `id`. If the order is not live, the entry may hold another order or the null slot.
  // Accepts any id.
  ENGINE_ALWAYS_INLINE Slot& PlaceOf(OrderId id) { return PlaceIn(id); }
  ENGINE_ALWAYS_INLINE Slot PlaceOf(OrderId id) const { return PlaceIn(id); }

  // REQUIRES: the id is larger than any id inserted before.
  ENGINE_ALWAYS_INLINE void Insert(OrderId id, Slot order) {
    if (!HasRoomFor(id)) [[unlikely]] {
      MakeRoom(id);
    }
    InsertInRoom(id, order);
  }
  // Ids before `first` will not be inserted or looked up. REQUIRES: nothing has been inserted.
  void BeginAt(OrderId first);

  // Insert() without a check. REQUIRES: HasRoomFor(id).
  ENGINE_ALWAYS_INLINE void InsertInRoom(OrderId id, Slot order) {
    (*newest_page_)[InPage(id)] = order;
  }
  // Whether Insert() needs no call. False at least once a page.
  bool HasRoomFor(OrderId id) const { return id.value() < end_of_room_; }
  // From now on it is false at least once every `ids`, so that the caller can do what must be done
  // now and then. REQUIRES: `ids` divides a page.
  void PauseEvery(uint64_t ids) {
    room_ = ids;
    end_of_room_ = 0;
  }

  // REQUIRES: the order is live.
  ENGINE_ALWAYS_INLINE void Erase(OrderId id) { PlaceIn(id) = Slot(); }

  // Visits the live orders with ids from `first` to before `end`, in ascending order. Walks all
  // pages of these ids.
  template <typename Visit>
  void VisitBetween(OrderId first, OrderId end, Visit visit) const;
  template <typename Visit>
  void VisitFrom(OrderId first, Visit visit) const {
    VisitBetween(first, OrderId(end_of_newest_), visit);
  }

  // Whether an order has ever been inserted.
  bool is_used() const { return newest_page_ != nullptr; }

  // The number of live orders. Walks all pages.
  uint64_t Count() const;

  // Prefetches the entry that Find reads. Accepts any id.
  void Prefetch(OrderId id) const { PrefetchToWrite(&PlaceIn(id)); }

 private:
  static constexpr int kPlaceBits = 10;
  using Page = std::array<Slot, size_t{1} << kPlaceBits>;

  static uint64_t NumberOf(OrderId id) { return id.value() >> kPlaceBits; }
  static size_t InPage(OrderId id) { return id.value() % (uint64_t{1} << kPlaceBits); }
  Slot& PlaceIn(OrderId id) const { return (*ring_[NumberOf(id) & mask_])[InPage(id)]; }
  Page*& PageOf(uint64_t number) const { return ring_[number & mask_]; }

  ENGINE_OUT_OF_LINE void MakeRoom(OrderId id);
  void BeginPage(uint64_t number);
  void Sweep();
  void GrowRing();
  Page* TakePage();

  static Page empty_;  // Never written.

  std::unique_ptr<Page*[]> ring_;  // The empty page where a page is not in use.
  uint64_t mask_ = 0;
  uint64_t oldest_ = 0;  // The oldest page in use; the ring holds mask_ + 1 pages from it on.
  uint64_t end_of_newest_ = 0;  // The first id after the page that Insert writes to.
  uint64_t end_of_room_ = 0;    // The first id for which Insert calls MakeRoom.
  uint64_t room_ = uint64_t{1} << kPlaceBits;
  Page* newest_page_ = nullptr;
  uint64_t hand_ = 0;  // The page that Sweep() inspects next.
  std::vector<Page*> unused_;
  std::vector<std::unique_ptr<Page[]>> blocks_;
};

template <typename Visit>
void OrderIndex::VisitBetween(OrderId first, OrderId end, Visit visit) const {
  const uint64_t last = std::min(end.value(), end_of_newest_);
  uint64_t id = std::max(first.value(), oldest_ << kPlaceBits);
  while (id < last) {
    const uint64_t end_of_page = ((id >> kPlaceBits) + 1) << kPlaceBits;
    const Page& page = *PageOf(id >> kPlaceBits);
    const uint64_t stop = &page == &empty_ ? id : std::min(end_of_page, last);
    for (; id < stop; ++id) {
      const Slot slot = page[InPage(OrderId(id))];
      if (slot != Slot()) visit(slot);
    }
    id = std::min(end_of_page, last);
  }
}

}  // namespace engine

#endif  // ENGINE_BOOK_ORDER_INDEX_H_
