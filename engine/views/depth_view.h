// The depth of all markets as anyone may know it: folded from events, never asked of the core.
//
//   bid  20.01  8 (2)   [order 7: 5] [order 9: 3]     a level: price, total quantity, orders, queue
//        20.00  1 (1)   [order 3: 1]
//   ask  20.02  4 (1)   [order 4: 4]
//
// Prices and quantities are counts of the market's units; a view knows markets by their ids only.

#ifndef ENGINE_VIEWS_DEPTH_VIEW_H_
#define ENGINE_VIEWS_DEPTH_VIEW_H_

#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <span>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"

namespace engine {

// Not thread-safe: owned by whoever follows the log. It hears all events of the log from its
// beginning; an event that contradicts those before it is our own mistake (CHECK).
class DepthView final : public EventListener {
 public:
  struct Place {
    OrderId order;
    Quantity quantity_remaining;
  };
  struct Level {
    Quantity quantity;       // The sum over `queue`.
    std::list<Place> queue;  // In priority order; never empty.

    uint64_t order_count() const { return queue.size(); }
  };

  // Where an order stands.
  struct Standing {
    MarketId market;
    Side side = {};
    Price price;
    Quantity quantity_remaining;
    uint64_t orders_ahead = 0;  // In its own level.
    Quantity quantity_ahead;
  };

  void OnEvents(const Command& command, std::span<const Event> events) override;

  // The levels of one side of one market, best first, until `visit` returns false.
  void VisitLevels(MarketId market, Side side,
                   absl::FunctionRef<bool(Price, const Level&)> visit) const;

  // Null when no order rests there. Valid until the next OnEvents.
  const Level* FindLevel(MarketId market, Side side, Price price) const;

  // nullopt when the side is empty.
  std::optional<Price> BestPrice(MarketId market, Side side) const;

  // nullopt when `order` does not rest. Walks its level's queue.
  std::optional<Standing> FindOrder(OrderId order) const;

  uint64_t order_count() const { return orders_.size(); }

 private:
  using Levels = std::map<Price, Level>;
  struct Market {
    Levels bids;
    Levels asks;

    Levels& levels(Side side) { return side == Side::kBid ? bids : asks; }
    const Levels& levels(Side side) const { return side == Side::kBid ? bids : asks; }
  };
  struct Location {
    MarketId market;
    Side side = {};
    Levels* levels = nullptr;
    Levels::iterator level;
    std::list<Place>::iterator place;
  };

  void Add(const Event& arrival, Quantity quantity);
  void SetRemaining(OrderId order, Quantity remaining);  // Zero: it has left.

  std::map<MarketId, Market> markets_;
  absl::flat_hash_map<OrderId, Location> orders_;  // For look-ups only.
};

}  // namespace engine

#endif  // ENGINE_VIEWS_DEPTH_VIEW_H_
