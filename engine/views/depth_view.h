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

#include "absl/functional/function_ref.h"
#include "engine/base/dense_id_table.h"
#include "engine/base/id_table.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/views/order_queue.h"

namespace engine {

struct DepthLevel {
  Quantity quantity;  // The sum over `queue`.
  OrderQueue queue;   // In priority order; never empty.
  MarketId market;
  Side side = {};
  Price price;

  uint64_t order_count() const { return queue.size(); }
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

  // An order's position in the book.
  struct Standing {
    MarketId market;
    Side side = {};
    Price price;
    Quantity quantity_remaining;
    uint64_t orders_ahead = 0;  // Within its level.
    Quantity quantity_ahead;
  };

  void OnEvents(const Command& command, std::span<const Event> events) override;

  // Visits the levels of one side of one market, best first, until `visit` returns false.
  void VisitLevels(MarketId market, Side side,
                   absl::FunctionRef<bool(Price, const Level&)> visit) const;

  // Null if no order rests at `price`. Valid until the next OnEvents.
  const Level* FindLevel(MarketId market, Side side, Price price) const;

  // nullopt if the side is empty.
  std::optional<Price> BestPrice(MarketId market, Side side) const;

  // nullopt if `order` does not rest. Walks its level's queue.
  std::optional<Standing> FindOrder(OrderId order) const;

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

  void Add(const Event& arrival, Quantity quantity);
  void SetRemaining(OrderId order, Quantity remaining);  // Zero removes the order.

  const Market* FindMarket(MarketId market) const;
  Level& LevelFor(MarketId market, Side side, Price price);  // Created if there is none.
  void RemoveLevel(const Level& level);
  static size_t CachePlaceOf(MarketId market, Side side, Price price);

  IdTable market_places_;
  std::deque<Market> markets_;
  OrderPool pool_;
  DenseIdTable order_places_;  // Indices into the pool.
  std::array<Level*, size_t{1} << kLevelCacheBits> level_cache_ = {};
};

}  // namespace engine

#endif  // ENGINE_VIEWS_DEPTH_VIEW_H_
