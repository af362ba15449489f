// The place of one order in its queue, followed command by command.
//
//   queue   [ A ][ B ][ order ][ C ][ D ]     ahead: the level without the order and those after it
//                               └──┴── orders after it, with their remaining quantities
//
// An order that joins a queue is its last one, so the orders after the followed one are known
// without a walk: a command costs a look-up for each order that its events name, at any length of
// the queue.

#ifndef ENGINE_VIEWS_QUEUE_PLACE_H_
#define ENGINE_VIEWS_QUEUE_PLACE_H_

#include <cstdint>
#include <optional>
#include <span>

#include "absl/container/flat_hash_map.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/views/depth_view.h"

namespace engine {

// Not thread-safe: owned by its caller. `depth` outlives it.
class QueuePlace {
 public:
  // An order's position in the book.
  struct Standing {
    MarketId market;
    Side side = {};
    Price price;
    Quantity quantity_remaining;
    uint64_t orders_ahead = 0;  // Within its level.
    Quantity quantity_ahead;
  };

  // Walks the queue of `order` if it rests.
  QueuePlace(const DepthView& depth, OrderId order);

  // Receives the events of each command, after `depth` has.
  void OnEvents(std::span<const Event> events);

  // nullopt if the order does not rest.
  std::optional<Standing> standing() const;

  // The orders that were walked over or looked up, for tests.
  uint64_t orders_visited() const { return orders_visited_; }

 private:
  void Visit(OrderId order, const DepthView::Level& level);
  void AddAfter(const DepthView::Place& place);

  const DepthView& depth_;
  const OrderId order_;
  absl::flat_hash_map<OrderId, Quantity> after_;  // The orders after it; for look-ups only.
  Quantity quantity_after_;                       // Their sum.
  uint64_t orders_visited_ = 0;
};

}  // namespace engine

#endif  // ENGINE_VIEWS_QUEUE_PLACE_H_
