// A simple book for generators, which tracks the live orders so that cancels name one of them.
// Generation is not timed.

#ifndef ENGINE_WORKLOAD_PLAN_BOOK_H_
#define ENGINE_WORKLOAD_PLAN_BOOK_H_

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "engine/types/ids.h"
#include "engine/types/side.h"

namespace bench {

// Not thread-safe: owned by a generator.
class PlanBook {
 public:
  struct Order {
    engine::Side side = {};
    int64_t price = 0;
    uint64_t quantity = 0;  // Remaining.
    uint64_t filled = 0;
    std::list<engine::OrderId>::iterator place;
  };

  // REQUIRES: the order does not cross the book.
  void Add(engine::OrderId id, engine::Side side, int64_t price, uint64_t quantity);
  // REQUIRES of Remove and Amend: the order is live.
  void Remove(engine::OrderId id);
  // Moves the order to the end of the queue at `price`, but keeps its priority if the price stays
  // and the quantity does not grow.
  void Amend(engine::OrderId id, int64_t price, uint64_t quantity);

  // Fills up to `quantity` from the best orders of `side`.
  void Take(engine::Side side, uint64_t quantity);

  // Null: not live.
  const Order* Find(engine::OrderId id) const;
  std::optional<int64_t> Best(engine::Side side) const;
  size_t live_count() const { return orders_.size(); }
  size_t live_count(engine::Side side) const {
    return side == engine::Side::kBid ? bid_count_ : orders_.size() - bid_count_;
  }

 private:
  using Levels = std::map<int64_t, std::list<engine::OrderId>>;

  Levels& LevelsOf(engine::Side side) { return side == engine::Side::kBid ? bids_ : asks_; }

  // By price; the best bid is the last.
  Levels bids_;
  Levels asks_;
  absl::flat_hash_map<engine::OrderId, Order> orders_;  // For look-ups only.
  size_t bid_count_ = 0;
};

}  // namespace bench

#endif  // ENGINE_WORKLOAD_PLAN_BOOK_H_
