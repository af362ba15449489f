// Where each live order is, by its id.
//
//   id       [ page number                        | place in the page, 10 bits ]
//   pages    a ring over the numbers of the pages in use, from the oldest on
//   page     1,024 slots of four bytes; nowhere where there is no live order
//
// Ids are sequence numbers: dense and ascending, so the id is the place and nothing is hashed or
// compared. Most orders live briefly, so the pages in use are mostly the newest. Nothing is counted
// as orders come and go: whenever a page begins, a hand looks at two others, as that of a clock,
// and takes those without a live order for later use. So there are at most twice as many pages as
// have a live order, and a few: a day of 10^9 commands with 10^5 live orders takes at most 2 * 10^5
// pages of 4 KiB and a ring of 10^6 entries, whatever the lifetimes.

#ifndef ENGINE_BOOK_ORDER_INDEX_H_
#define ENGINE_BOOK_ORDER_INDEX_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/inline.h"
#include "engine/base/prefetch.h"
#include "engine/book/fault.h"
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
  ENGINE_ALWAYS_INLINE Slot Find(OrderId id) const {
    if (NumberOf(id) - oldest_ > mask_) [[unlikely]] {
      return Slot();
    }
    return PlaceIn(id);
  }

  // Its place: where it is, if it is live; where another order is, or none, if it is not. Any id.
  ENGINE_ALWAYS_INLINE Slot& PlaceOf(OrderId id) { return PlaceIn(id); }
  ENGINE_ALWAYS_INLINE Slot PlaceOf(OrderId id) const { return PlaceIn(id); }

  // REQUIRES: later than any id that was inserted before.
  ENGINE_ALWAYS_INLINE void Insert(OrderId id, Slot order) {
    if (!HasPageFor(id)) [[unlikely]] {
      BeginPage(NumberOf(id));
    }
    InsertInPage(id, order);
  }
  // Ids before `first` will not be inserted: nobody looks for them. REQUIRES: nothing was inserted.
  void BeginAt(OrderId first);

  // Inserts where there is a page. REQUIRES: HasPageFor(id).
  ENGINE_ALWAYS_INLINE void InsertInPage(OrderId id, Slot order) {
    (*newest_page_)[InPage(id) ^ (ENGINE_FAULT(kIndexMisplaces) ? 1 : 0)] = order;
  }
  bool HasPageFor(OrderId id) const { return id.value() < end_of_newest_; }

  // REQUIRES: it is live.
  ENGINE_ALWAYS_INLINE void Erase(OrderId id) {
    if (!ENGINE_FAULT(kIndexKeepsEnded)) PlaceIn(id) = Slot();
  }

  // The live orders with ids from `first` on, in their order. Costs what pages there are.
  template <typename Visit>
  void VisitFrom(OrderId first, Visit visit) const;

  // How many are live. Counts them.
  uint64_t Count() const;

  // Has what Find reads come closer. Any id.
  void Prefetch(OrderId id) const { PrefetchToWrite(&PlaceIn(id)); }

 private:
  static constexpr int kPlaceBits = 10;
  using Page = std::array<Slot, size_t{1} << kPlaceBits>;

  static uint64_t NumberOf(OrderId id) { return id.value() >> kPlaceBits; }
  static size_t InPage(OrderId id) { return id.value() % (uint64_t{1} << kPlaceBits); }
  Slot& PlaceIn(OrderId id) const { return (*ring_[NumberOf(id) & mask_])[InPage(id)]; }
  Page*& PageOf(uint64_t number) const { return ring_[number & mask_]; }

  ENGINE_OUT_OF_LINE void BeginPage(uint64_t number);
  void Sweep();
  void GrowRing();
  Page* TakePage();

  static Page empty_;  // Never written.

  std::unique_ptr<Page*[]> ring_;  // Of a page that is not in use, the empty one.
  uint64_t mask_ = 0;
  uint64_t oldest_ = 0;  // Of the pages in use; the ring has room for mask_ + 1 from there on.
  uint64_t end_of_newest_ = 0;  // The first id behind the page that Insert writes to.
  Page* newest_page_ = nullptr;
  uint64_t hand_ = 0;  // The page that is looked at next.
  std::vector<Page*> unused_;
  std::vector<std::unique_ptr<Page[]>> blocks_;
};

template <typename Visit>
void OrderIndex::VisitFrom(OrderId first, Visit visit) const {
  size_t place = InPage(first);
  uint64_t number = NumberOf(first);
  if (number < oldest_) {
    number = oldest_;
    place = 0;
  }
  for (; number << kPlaceBits < end_of_newest_; ++number, place = 0) {
    const Page& page = *PageOf(number);
    if (&page == &empty_) continue;
    for (; place < page.size(); ++place) {
      if (page[place] != Slot()) visit(page[place]);
    }
  }
}

}  // namespace engine

#endif  // ENGINE_BOOK_ORDER_INDEX_H_
