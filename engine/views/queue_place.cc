#include "engine/views/queue_place.h"

#include "engine/messages/kinds.h"

namespace engine {

QueuePlace::QueuePlace(const DepthView& depth, OrderId order) : depth_(depth), order_(order) {
  const DepthView::Place* const own = depth_.FindOrder(order_);
  if (own == nullptr) return;
  bool is_after = false;
  for (const DepthView::Place& place : own->level->queue) {
    ++orders_visited_;
    if (is_after) AddAfter(place);
    is_after = is_after || place.order == order_;
  }
}

void QueuePlace::OnEvents(std::span<const Event> events) {
  const DepthView::Place* const own = depth_.FindOrder(order_);
  if (own == nullptr || own->is_last()) {
    after_.clear();
    quantity_after_ = Quantity();
  }
  if (own == nullptr) return;
  for (const Event& event : events) {
    if (!InfoOf(event.kind).changes_an_order) continue;
    Visit(event.order_id, *own->level);
    Visit(event.counter_order_id, *own->level);
  }
}

void QueuePlace::Visit(OrderId order, const DepthView::Level& level) {
  if (order == OrderId() || order == order_) return;
  ++orders_visited_;
  const auto known = after_.find(order);
  const bool was_after = known != after_.end();
  if (was_after) {
    quantity_after_ -= known->second;
    after_.erase(known);
  }
  const DepthView::Place* const place = depth_.FindOrder(order);
  if (place == nullptr || place->level != &level) return;
  // An order that was not after it, and is not the last one, is ahead.
  if (was_after || place->is_last()) AddAfter(*place);
}

void QueuePlace::AddAfter(const DepthView::Place& place) {
  after_.emplace(place.order, place.quantity_remaining);
  quantity_after_ += place.quantity_remaining;
}

std::optional<QueuePlace::Standing> QueuePlace::standing() const {
  const DepthView::Place* const own = depth_.FindOrder(order_);
  if (own == nullptr) return std::nullopt;
  const DepthView::Level& level = *own->level;
  return Standing{.market = level.market,
                  .side = level.side,
                  .price = level.price,
                  .quantity_remaining = own->quantity_remaining,
                  .orders_ahead = level.order_count() - 1 - after_.size(),
                  .quantity_ahead = level.quantity - own->quantity_remaining - quantity_after_};
}

}  // namespace engine
