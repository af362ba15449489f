#include "engine/views/depth_changes.h"

#include <vector>

#include "engine/messages/kinds.h"

namespace engine {
namespace {

Quantity QuantityAt(const DepthView& depth, MarketId market, Side side, Price price) {
  const DepthLevel* const level = depth.FindLevel(market, side, price);
  return level == nullptr ? Quantity() : level->quantity;
}

}  // namespace

void DepthChanges::Touch(MarketId market, Side side, Price price, const DepthView& depth) {
  if (!touched_.insert({.market = market, .side = side, .price = price}).second) return;
  changes_.push_back({.market = market,
                      .side = side,
                      .price = price,
                      .before = QuantityAt(depth, market, side, price)});
}

void DepthChanges::TouchLevelOf(OrderId order, const DepthView& depth) {
  const DepthView::Place* const place = depth.FindOrder(order);
  if (place == nullptr) return;  // It arrives with this command.
  Touch(place->level->market, place->level->side, place->level->price, depth);
}

void DepthChanges::TouchLevelsOf(const Event& event, const DepthView& depth) {
  switch (event.kind) {
    case EventKind::kAccepted:
      Touch(event.market, event.side, event.price, depth);
      break;
    case EventKind::kReplaced:
      TouchLevelOf(event.counter_order_id, depth);
      Touch(event.market, event.side, event.price, depth);
      break;
    case EventKind::kAmended:
      TouchLevelOf(event.order_id, depth);
      Touch(event.market, event.side, event.price, depth);
      break;
    case EventKind::kTrade:
    case EventKind::kCancelled:
    case EventKind::kReduced:
      TouchLevelOf(event.order_id, depth);
      break;
    default:
      break;
  }
}

std::span<const DepthChange> DepthChanges::Fold(const Command& command,
                                                std::span<const Event> events, DepthView& depth) {
  changes_.clear();
  touched_.clear();
  for (const Event& event : events) TouchLevelsOf(event, depth);
  depth.OnEvents(command, events);
  for (DepthChange& change : changes_) {
    change.after = QuantityAt(depth, change.market, change.side, change.price);
  }
  std::erase_if(changes_, [](const DepthChange& each) { return each.before == each.after; });
  return changes_;
}

}  // namespace engine
