// The book of one market: price-time priority and nothing else.
//
//   bids  rank -2,001 ─► level ─► [order 7] [order 9]      best first; orders in order of arrival
//              -2,000 ─► level ─► [order 3]
//   asks  rank  2,002 ─► level ─► [order 4] [order 5]
//
// It has no rules beyond priority: engine/core decides which orders may enter, sets their fields
// and knows their ranks. Equivalent to ReferenceBook, which is its specification (order_book_test).

#ifndef ENGINE_BOOK_ORDER_BOOK_H_
#define ENGINE_BOOK_ORDER_BOOK_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"
#include "engine/base/check.h"
#include "engine/base/inline.h"
#include "engine/base/prefetch.h"
#include "engine/book/book_storage.h"
#include "engine/book/level_prefetcher.h"
#include "engine/book/order_slot.h"
#include "engine/book/price_ladder.h"
#include "engine/types/ids.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"

namespace engine {

// The rank of the price with index `index` in its market's grid, for orders of `side`. A lower rank
// is better.
ENGINE_ALWAYS_INLINE int64_t RankOf(Side side, uint64_t index) {
  const int64_t mirror = static_cast<int64_t>(side) - 2;  // All ones for bids, zero for asks.
  return static_cast<int64_t>(index) ^ mirror;
}

// The worst rank of the other side that a taker accepts, if the rank of its own price is `rank`.
inline int64_t LimitOf(int64_t rank) { return ~rank; }
inline constexpr int64_t kAnyRank = PriceLadder::kNoRank - 1;

// Not thread-safe: owned by the exchange, as is its storage.
class OrderBook {
 public:
  OrderBook(MarketId market, BookStorage& storage) : storage_(&storage), market_(market) {}
  OrderBook(const OrderBook&) = delete;
  OrderBook& operator=(const OrderBook&) = delete;

  MarketId market() const { return market_; }

  // Adds `order` at the end of its price level.
  // REQUIRES: its fields are set, and quantity_remaining is not zero; `rank` is the rank of its
  // price; its priority is later than that of any order of the level.
  ENGINE_ALWAYS_INLINE void Add(Slot order, Side side, int64_t rank) {
    const Slot level = LevelFor(side, rank);
    Append(storage_->memory(), order, level, storage_->order(order).quantity_remaining);
  }

  // Moves each level at the rank of index `i` to that of `renumber(i)`, which ascends with `i`.
  // Costs as much as adding all levels again.
  void Renumber(absl::FunctionRef<uint64_t(uint64_t index)> renumber);

  // The level at `rank` of a side, if it exists and lies in the ladder's window; else the null
  // slot.
  ENGINE_ALWAYS_INLINE Slot LevelAt(Side side, int64_t rank) const {
    return LadderOf(side).FindNear(rank);
  }

  // The level at `rank` of a side, created if there is none. For a subsequent Append().
  ENGINE_ALWAYS_INLINE Slot LevelFor(Side side, int64_t rank) {
    const Slot level = LadderOf(side).Find(rank);
    return level == Slot() ? AddLevel(side, rank) : level;
  }

  // Whether `rank` of a side lies in the ladder's window.
  ENGINE_ALWAYS_INLINE bool IsNear(Side side, int64_t rank) const {
    return LadderOf(side).IsNear(rank);
  }
  // Creates the level at `rank` in `slot`, which the book's storage has just allocated. REQUIRES:
  // there is no level at `rank`; IsNear(side, rank).
  ENGINE_ALWAYS_INLINE void BeginLevel(SlotMemory memory, Slot slot, Side side, int64_t rank) {
    BeginLevelIn(memory.level(slot), side, rank);
    LadderOf(side).InsertNear(rank, slot);
  }

  // Adds `order`, whose remaining quantity is `remaining`, at the end of `level`, the level of its
  // price.
  ENGINE_ALWAYS_INLINE static void Append(SlotMemory memory, Slot order, Slot level,
                                          Quantity remaining) {
    OrderSlot& added = memory.order(order);
    PriceLevel& to = memory.level(level);
    const Slot last = to.links.prev;
    added.level = level;
    added.links = {.next = level, .prev = last};
    memory.links(last).next = order;
    to.links.prev = order;
    to.quantity += remaining;
  }

  // Removes `order` from the book; the caller keeps its memory.
  void Remove(Slot order) {
    if (const Slot level = Unlink(storage_->memory(), order); level != Slot()) RemoveLevel(level);
  }

  // The same for any book, except for the level: if `order` is the only order of its level, returns
  // the level, which the caller passes to RemoveLevel() of its book. Otherwise returns the null
  // slot.
  ENGINE_ALWAYS_INLINE static Slot Unlink(SlotMemory memory, Slot order) {
    const OrderSlot& removed = memory.order(order);
    if (IsAlone(removed)) return removed.level;
    UnlinkFromOthers(memory, removed);
    return Slot();
  }
  // The same. REQUIRES: the order is not alone in its level.
  ENGINE_ALWAYS_INLINE static void UnlinkFromOthers(SlotMemory memory, const OrderSlot& removed) {
    const auto [next, prev] = removed.links;
    memory.links(prev).next = next;
    memory.links(next).prev = prev;
    PriceLevel& level = memory.level(removed.level);
    uint64_t left = 0;
    if (__builtin_sub_overflow(level.quantity.units(), removed.quantity_remaining.units(), &left))
        [[unlikely]] {
      LevelHasLess();
    }
    level.quantity = Quantity::FromUnits(left);
  }
  // Whether the order is alone in its level. REQUIRES: it rests.
  static bool IsAlone(const OrderSlot& order) { return order.links.next == order.links.prev; }
  ENGINE_OUT_OF_LINE void RemoveLevel(Slot slot) {
    const PriceLevel& level = storage_->level(slot);
    LadderOf(level.side).Erase(level.rank);
    storage_->FreeLevel(slot);
  }

  // Reduces the order's remaining quantity by `by`; the order keeps its priority.
  // REQUIRES: by < quantity_remaining.
  void Reduce(Slot order, Quantity by) {
    OrderSlot& reduced = storage_->order(order);
    CHECK_LT(by, reduced.quantity_remaining);
    storage_->level(reduced.level).quantity -= by;
    reduced.quantity_remaining -= by;
  }

  // What happens when a taker meets a maker.
  enum class Meeting : uint8_t {
    kTrade,
    kRemoveMaker,         // Without a trade; the taker continues with the next maker.
    kStop,                // The taker stops before this maker.
    kRemoveMakerAndStop,  // The taker stops after this maker is removed.
  };

  // A maker after its trade.
  struct Fill {
    Slot slot;
    const OrderSlot& maker;
    Quantity traded;
    Quantity remains;  // The maker's remaining quantity.
  };

  // Matches a taker of side `taker` for up to `quantity` with the orders of the other side: best
  // price first, earliest first within a price, each at its own price, none beyond `limit`.
  // `on_meet(slot)` decides what happens with each maker. `on_trade(fill)` is called for each maker
  // after its trade; a maker with nothing remaining leaves the book and its memory is freed when
  // the call returns. Returns the quantity that did not trade. REQUIRES: the callbacks do not call
  // the book. Inlined, because otherwise the callbacks' state would be passed in memory.
  template <typename OnMeet, typename OnTrade>
  ENGINE_ALWAYS_INLINE Quantity Match(Side taker, int64_t limit, Quantity quantity, OnMeet on_meet,
                                      OnTrade on_trade);

  // Whether Match would trade all of `quantity` with the first `reach` levels.
  bool CanFill(Side taker, int64_t limit, Quantity quantity, int reach) const;

  // Whether Match would trade all of `quantity` with this `on_meet` and the first `reach` makers.
  // Calls `on_meet` for no maker that Match would not reach.
  bool CanFill(Side taker, int64_t limit, Quantity quantity, int reach,
               absl::FunctionRef<Meeting(const OrderSlot&)> on_meet) const;

  // The first order of a side, which is the next to trade; the null slot if there is none.
  Slot First(Side side) const {
    const Slot level = LadderOf(side).best();
    return level == Slot() ? Slot() : storage_->level(level).links.next;
  }

  // Whether a taker of side `taker` with this limit would meet a maker.
  ENGINE_ALWAYS_INLINE bool Crosses(Side taker, int64_t limit) const {
    // As best_rank() <= limit, but one instruction shorter if `limit` is LimitOf a rank.
    return ladders_[2 - static_cast<size_t>(taker)].best_rank() + ~limit < 0;
  }

  // Visits the orders of a side in priority order: best price first, then earliest first.
  void VisitOrders(Side side, absl::FunctionRef<void(Slot)> visit) const;

  bool is_empty() const { return ladders_[0].best() == Slot() && ladders_[1].best() == Slot(); }

  // Prefetches both sides, as far as they lie here.
  ENGINE_ALWAYS_INLINE void Prefetch() const {
    for (size_t at = 0; at < sizeof(ladders_); at += 64) PrefetchToReadAfter(&ladders_, at);
  }
  // Prefetches what finding, creating and removing the level at `rank` reads. Accepts any side and
  // rank, valid or not.
  ENGINE_ALWAYS_INLINE void PrefetchPlace(Side side, int64_t rank) const {
    AnyLadderOf(side).Prefetch(rank);
  }
  // The window's entry for `rank`, or for another rank if that lies outside. A hint for
  // prefetching. Accepts any side and rank, valid or not.
  ENGINE_ALWAYS_INLINE const Slot* PlaceAhead(Side side, int64_t rank) const {
    return AnyLadderOf(side).PlaceAhead(rank);
  }

  // Whether the best bid is at or above the best ask.
  bool is_crossed() const;

  // CHECKs E3 (priorities rise within a level), and that ladders, levels and orders agree.
  void CheckInvariants() const;

 private:
  PriceLadder& LadderOf(Side side) { return ladders_[static_cast<size_t>(side) - 1]; }
  const PriceLadder& LadderOf(Side side) const { return ladders_[static_cast<size_t>(side) - 1]; }
  // Accepts any side, valid or not.
  const PriceLadder& AnyLadderOf(Side side) const {
    return ladders_[(static_cast<size_t>(side) - 1) % 2];
  }

  ENGINE_OUT_OF_LINE Slot AddLevel(Side side, int64_t rank) {
    const Slot slot = storage_->NewLevel();
    BeginLevelIn(storage_->level(slot), side, rank);
    LadderOf(side).Insert(rank, slot, storage_->ladder_memory());
    return slot;
  }
  ENGINE_ALWAYS_INLINE void BeginLevelIn(PriceLevel& level, Side side, int64_t rank) {
    level.rank = rank;
    level.quantity = Quantity();
    level.market = market_;
    level.side = side;
  }
  // Sets the first order of the level, and `left` as the quantity of all its orders.
  ENGINE_ALWAYS_INLINE static void SetFirst(SlotMemory memory, Slot level, Slot first,
                                            Quantity left) {
    memory.level(level).links.next = first;
    memory.level(level).quantity = left;
    memory.links(first).prev = level;
  }
  void CheckSide(Side side) const;
  // Fails a CHECK. Because it does not return, it costs the path of a cancel no register.
  [[noreturn]] ENGINE_COLD static void LevelHasLess();

  std::array<PriceLadder, 2> ladders_;  // Bids, asks.
  BookStorage* storage_;
  MarketId market_;  // What follows is free for the fields of a market.
};

template <typename OnMeet, typename OnTrade>
ENGINE_ALWAYS_INLINE Quantity OrderBook::Match(Side taker, int64_t limit, Quantity quantity,
                                               OnMeet on_meet, OnTrade on_trade) {
  PriceLadder& makers = LadderOf(Opposite(taker));
  BookStorage& storage = *storage_;
  const SlotMemory memory = storage.memory();
  bool goes_on = !quantity.is_zero();
  std::optional<LevelPrefetcher> prefetcher;
  while (goes_on && makers.best_rank() <= limit) {
    const Slot level_slot = makers.best();
    PriceLevel& level = memory.level(level_slot);
    Slot first = level.links.next;
    Quantity left = level.quantity;
    do {
      OrderSlot& maker = memory.order(first);
      const Slot next = maker.links.next;
      memory.Prefetch(next);
      const Meeting meeting = on_meet(first);
      if (meeting == Meeting::kStop) {
        goes_on = false;
        break;
      }
      if (meeting == Meeting::kTrade) {
        const Quantity traded = std::min(quantity, maker.quantity_remaining);
        const Quantity remains = maker.quantity_remaining - traded;
        quantity -= traded;
        left -= traded;
        maker.quantity_remaining = remains;
        maker.quantity_filled += traded;
        goes_on = !quantity.is_zero();
        on_trade(Fill{.slot = first, .maker = maker, .traded = traded, .remains = remains});
        if (!remains.is_zero()) {
          SetFirst(memory, level_slot, first, left);
          return quantity;
        }
      } else {
        left -= maker.quantity_remaining;
        goes_on = meeting == Meeting::kRemoveMaker;
      }
      storage.FreeOrder(maker, first);
      first = next;
    } while (goes_on && first != level_slot);
    if (first == level_slot) {
      makers.EraseBest();
      storage.FreeLevel(level_slot);
      if (goes_on && storage.is_far()) {
        if (!prefetcher.has_value()) prefetcher.emplace(makers, memory);
        prefetcher->Advance();
      }
    } else {
      SetFirst(memory, level_slot, first, left);
    }
  }
  return quantity;
}

}  // namespace engine

#endif  // ENGINE_BOOK_ORDER_BOOK_H_
