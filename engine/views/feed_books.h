// The books of all symbols of a market-data feed, as its receiver keeps them. The updates are all
// there is: unlike the other views, this one never sees commands, events or the core.
//
//   orders   reference ─► [ price | quantity | locate | side ]      a pool, found by reference
//   bids     [ 20.00: 1 (1) ][ 20.01: 8 (2) ]                       levels of a book and side in
//   one asks     [ 20.09: 9 (3) ][ 20.02: 4 (1) ]                       array, worst first, best
//   last
//                                        ▲ most changes are here
//
// A level is searched from the best price on: after kScannedLevels by bisection. A new level moves
// those that are better.
//
// Memory: 24 bytes for each order that has rested at the same time, at most 128 for its reference,
// and 24 for each level that a side has had at the same time, up to twice; there are never more
// levels than orders, and never more orders than the limit.

#ifndef ENGINE_VIEWS_FEED_BOOKS_H_
#define ENGINE_VIEWS_FEED_BOOKS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/dense_id_table.h"
#include "engine/base/inline.h"
#include "engine/base/large_block.h"
#include "engine/messages/book_update.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"

namespace engine {

// Not thread-safe: owned by the reader of the feed. Accepts any updates: those that contradict the
// books are counted. Allocates nothing once the maximum numbers of simultaneously resting orders
// and levels have been reached.
class FeedBooks {
 public:
  static constexpr size_t kOrdersMaxDefault = 1 << 24;

  struct Level {
    Price price = {};
    Quantity quantity = {};    // The sum of its orders.
    uint64_t order_count = 0;  // Not 0.

    friend bool operator==(const Level&, const Level&) = default;
  };

  // All but `applied` are 0 if the updates are a whole feed from its beginning.
  struct Counters {
    uint64_t applied = 0;
    uint64_t unknown_references =
        0;                    // Ignored: about orders that do not rest. Late joiners see them.
    uint64_t duplicates = 0;  // Refused: orders whose reference is that of a resting one.
    uint64_t quantities_exceeded = 0;  // More is taken from an order than it has: it leaves.
    uint64_t invalid = 0;              // Refused: no side, no quantity, or more than kQuantityMax.
    uint64_t beyond_limit = 0;  // Refused: `orders_max` orders rest. The books are incomplete then.

    friend bool operator==(const Counters&, const Counters&) = default;
  };

  // At most `orders_max` orders rest at a time. REQUIRES: less than 2^32 - 1.
  explicit FeedBooks(size_t orders_max = kOrdersMaxDefault);

  void Apply(const BookUpdate& update);

  // Applies all, one after the other, and prefetches for those to come: faster where many orders
  // rest.
  void Apply(std::span<const BookUpdate> updates);

  // The levels of one side, from the worst price to the best: the top N are the last N. Valid until
  // the next Apply.
  std::span<const Level> levels(uint16_t locate, Side side) const {
    return locate < books_.size() ? std::span<const Level>(books_[locate].levels(side))
                                  : std::span<const Level>();
  }
  // Null if the side is empty. Valid until the next Apply.
  const Level* best(uint16_t locate, Side side) const {
    const std::span<const Level> all = levels(locate, side);
    return all.empty() ? nullptr : &all.back();
  }

  size_t order_count() const { return order_places_.size(); }
  const Counters& counters() const { return counters_; }

 private:
  static constexpr size_t kScannedLevels = 16;

  using Levels = std::vector<Level>;
  struct Book {
    std::array<Levels, 2> sides;  // Bids, asks.

    Levels& levels(Side side) { return sides[side == Side::kAsk]; }
    const Levels& levels(Side side) const { return sides[side == Side::kAsk]; }
  };
  struct Order {
    Price price = {};
    Quantity quantity = {};  // What remains; not 0.
    uint32_t next_free = 0;  // Of a free place.
    uint16_t locate = 0;
    Side side = {};
  };
  static_assert(sizeof(Order) == 24);

  // Of `levels`, how many are not better than `price`: the last of them is its level, if it exists.
  static size_t CountNotBetter(const Levels& levels, Side side, Price price);

  // Two steps, of which the second reads what the first has prefetched.
  void PrefetchPlaces(const BookUpdate& update) const;
  void PrefetchOrderAndLevels(const BookUpdate& update) const;

  void Add(uint64_t reference, uint16_t locate, Side side, Price price, Quantity quantity);
  void Reduce(uint64_t reference, Quantity quantity);
  void Replace(const BookUpdate& update);
  // The place of an order that leaves, which is free from here on; kNone, counted, if unknown.
  uint32_t Remove(uint64_t reference);
  // Takes `quantity` and `order_count` (0 or 1) of the order from its level.
  void TakeFromLevel(const Order& order, Quantity quantity, uint64_t order_count);
  void Clear();
  ENGINE_COLD void GrowBooks(uint16_t locate);

  const size_t orders_max_;
  std::vector<Book> books_;    // By locate.
  DenseIdTable order_places_;  // Indices into the pool.
  std::vector<Order, LargeAllocator<Order>> pool_;
  uint32_t free_first_ = DenseIdTable::kNone;
  Counters counters_;
};

}  // namespace engine

#endif  // ENGINE_VIEWS_FEED_BOOKS_H_
