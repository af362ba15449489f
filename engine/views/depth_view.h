// The depth of all markets, computed from events only, without access to the core.
//
//   bid  20.01  8 (2)   [order 7: 5] [order 9: 3]     a level: price, total quantity, orders, queue
//        20.00  1 (1)   [order 3: 1]
//   ask  20.02  4 (1)   [order 4: 4]
//
// Prices and quantities are counts of the market's units; a view knows markets by their ids only.
//
// Most commands add or remove an order near the best prices, where its level exists: a cache
// indexed by a hash of market, side and price finds that level, and the orders of all levels are in
// one pool.

#ifndef ENGINE_VIEWS_DEPTH_VIEW_H_
#define ENGINE_VIEWS_DEPTH_VIEW_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "engine/base/check.h"
#include "engine/base/dense_id_table.h"
#include "engine/base/id_table.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"

namespace engine {

struct DepthLevel;

// Queues of orders, all in one pool.
//
//   pool    [ A ][ C ][ free ][ B ][ D ]        place: order, remaining quantity, its level,
//             │    ▲            ▲   ▲                  the previous and the next place
//   queue 1   └────┼────────────┘   │     A B
//   queue 2        └────────────────┘     C D
//
// An order that leaves touches only its neighbours. Freed places are reused: nothing is allocated
// once the maximum number of simultaneously resting orders has been reached.
class OrderPool {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  struct Place {
    OrderId order;
    Quantity quantity_remaining;
    DepthLevel* level = nullptr;
    uint32_t before = kNone;  // The previous place in its queue.
    uint32_t next = kNone;    // The next place in its queue; for a free place, the next free one.

    bool is_last() const { return next == kNone; }  // In its queue.
  };

  Place& operator[](uint32_t at) { return places_[at]; }
  const Place& operator[](uint32_t at) const { return places_[at]; }

  // Returns a free place.
  uint32_t Take() {
    if (free_first_ == kNone) {
      CHECK_LT(places_.size(), size_t{kNone});
      places_.emplace_back();
      return static_cast<uint32_t>(places_.size() - 1);
    }
    const uint32_t at = free_first_;
    free_first_ = places_[at].next;
    return at;
  }
  void Give(uint32_t at) {
    places_[at] = Place();
    places_[at].next = free_first_;
    free_first_ = at;
  }

 private:
  std::vector<Place> places_;
  uint32_t free_first_ = kNone;
};

// A list of places in priority order. A value that refers to places of its pool, which outlives it.
class OrderQueue {
 public:
  class Iterator {
   public:
    Iterator(const OrderPool* pool, uint32_t at) : pool_(pool), at_(at) {}

    const OrderPool::Place& operator*() const { return (*pool_)[at_]; }
    Iterator& operator++() {
      at_ = (*pool_)[at_].next;
      return *this;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const OrderPool* pool_;
    uint32_t at_;
  };

  Iterator begin() const { return {pool_, first_}; }
  Iterator end() const { return {pool_, OrderPool::kNone}; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // REQUIRES: `pool` is the same in all calls.
  void PushBack(OrderPool& pool, uint32_t at) {
    pool_ = &pool;
    pool[at].before = last_;
    pool[at].next = OrderPool::kNone;
    (size_ == 0 ? first_ : pool[last_].next) = at;
    last_ = at;
    ++size_;
  }
  // Does not free the place.
  void Remove(OrderPool& pool, uint32_t at) {
    const auto [before, next] = std::pair(pool[at].before, pool[at].next);
    (before == OrderPool::kNone ? first_ : pool[before].next) = next;
    (next == OrderPool::kNone ? last_ : pool[next].before) = before;
    --size_;
  }

 private:
  const OrderPool* pool_ = nullptr;
  uint32_t first_ = OrderPool::kNone;
  uint32_t last_ = OrderPool::kNone;
  size_t size_ = 0;
};

struct DepthLevel {
  Quantity quantity;  // The sum over `queue`.
  OrderQueue queue;   // In priority order; never empty.
  MarketId market;
  Side side = {};
  Price price;
  uint64_t changed_by = 0;  // The view's number of the last command that changed it.
  size_t change_index = 0;  // Its place among the changes of that command.

  uint64_t order_count() const { return queue.size(); }
};

// A level whose quantity differs after a command.
//
//   taker buys 7: [ask 20.02: 5 → 0] [ask 20.03: 4 → 2]
struct DepthChange {
  MarketId market = {};
  Side side = {};
  Price price = {};
  Quantity before = {};
  Quantity after = {};  // Never equal to `before`.

  int64_t change() const {
    return static_cast<int64_t>(after.units()) - static_cast<int64_t>(before.units());
  }
  friend bool operator==(const DepthChange&, const DepthChange&) = default;
};

// Not thread-safe: owned by the reader of the log. It receives all events of the log from its
// beginning; an event that contradicts earlier ones is a programming error (CHECK).
class DepthView final : public EventListener {
 public:
  DepthView() = default;
  DepthView(const DepthView&) = delete;  // Levels point into the view.
  DepthView& operator=(const DepthView&) = delete;

  using Place = OrderPool::Place;
  using Level = DepthLevel;

  void OnEvents(const Command& command, std::span<const Event> events) override;

  // What the last command changed: each level once, in the order in which its events name them.
  // Valid until the next OnEvents.
  std::span<const DepthChange> changes() const { return changes_; }

  // Visits the levels of one side of one market, best first, until `visit` returns false.
  void VisitLevels(MarketId market, Side side,
                   absl::FunctionRef<bool(Price, const Level&)> visit) const;

  // Null if no order rests at `price`. Valid until the next OnEvents.
  const Level* FindLevel(MarketId market, Side side, Price price) const;

  // nullopt if the side is empty.
  std::optional<Price> BestPrice(MarketId market, Side side) const;

  // Null if `order` does not rest. Valid until the next OnEvents.
  const Place* FindOrder(OrderId order) const;

  uint64_t order_count() const { return order_places_.size(); }

 private:
  using Levels = std::map<Price, Level>;
  struct Market {
    Levels bids;
    Levels asks;

    Levels& levels(Side side) { return side == Side::kBid ? bids : asks; }
    const Levels& levels(Side side) const { return side == Side::kBid ? bids : asks; }
  };
  static constexpr int kLevelCacheBits = 10;

  // `change_index`: of NoteArrival().
  void Add(const Event& arrival, size_t change_index, Quantity quantity);
  void SetRemaining(OrderId order, Quantity remaining);  // Zero removes the order.

  // Each begins a change, unless the command has one of that level.
  void Note(Level& level);
  size_t NoteArrival(const Event& arrival);
  // Sets the quantities after the command, and leaves out what it did not change.
  void CompleteChanges();

  const Market* FindMarket(MarketId market) const;
  Level* LevelAt(MarketId market, Side side, Price price);  // Null if there is none.
  Level& MakeLevel(MarketId market, Side side, Price price);
  void RemoveLevel(const Level& level);
  static size_t CachePlaceOf(MarketId market, Side side, Price price);

  IdTable market_places_;
  std::deque<Market> markets_;
  OrderPool pool_;
  DenseIdTable order_places_;  // Indices into the pool.
  std::array<Level*, size_t{1} << kLevelCacheBits> level_cache_ = {};

  uint64_t command_count_ = 0;
  std::vector<DepthChange> changes_;
  std::vector<Level*> changed_levels_;  // Of changes_, while a command is folded; null: it is gone.
};

}  // namespace engine

#endif  // ENGINE_VIEWS_DEPTH_VIEW_H_
