#include "engine/views/depth_view.h"

#include "engine/base/check.h"
#include "engine/messages/reject_reason.h"

namespace engine {

// An order that arrives may trade or be cancelled before its command is done; it joins the queue
// with what is left of it then.
void DepthView::OnEvents(const Command&, std::span<const Event> events) {
  const Event* arrival = nullptr;
  Quantity arriving;
  const auto arrive = [&](const Event& event) {
    CHECK(arrival == nullptr) << "two orders arrive in command " << event.sequence;
    arrival = &event;
    arriving = event.quantity_remaining;
  };
  for (const Event& event : events) {
    switch (event.kind) {
      case EventKind::kAccepted:
        arrive(event);
        break;
      case EventKind::kReplaced:
        SetRemaining(event.counter_order_id, Quantity());
        arrive(event);
        break;
      case EventKind::kAmended:
        if (event.priority() == PriorityOutcome::kKept) {
          SetRemaining(event.order_id, event.quantity_remaining);
        } else {
          SetRemaining(event.order_id, Quantity());
          arrive(event);
        }
        break;
      case EventKind::kTrade:
        CHECK(arrival != nullptr) << "a trade without a taker in command " << event.sequence;
        CHECK_EQ(event.counter_order_id, arrival->order_id);
        arriving -= event.quantity;
        SetRemaining(event.order_id, event.quantity_remaining);
        break;
      case EventKind::kCancelled:
        if (arrival != nullptr && event.order_id == arrival->order_id) {
          arriving = event.quantity_remaining;
        } else {
          SetRemaining(event.order_id, event.quantity_remaining);
        }
        break;
      case EventKind::kReduced:
        SetRemaining(event.order_id, event.quantity_remaining);
        break;
      default:
        break;  // No order of the book is concerned.
    }
  }
  if (!arriving.is_zero()) Add(*arrival, arriving);
}

void DepthView::Add(const Event& arrival, Quantity quantity) {
  Levels& levels = markets_[arrival.market].levels(arrival.side);
  const auto level = levels.try_emplace(arrival.price).first;
  level->second.quantity += quantity;
  std::list<Place>& queue = level->second.queue;
  const auto place =
      queue.insert(queue.end(), {.order = arrival.order_id, .quantity_remaining = quantity});
  const bool is_new = orders_
                          .try_emplace(arrival.order_id, Location{.market = arrival.market,
                                                                  .side = arrival.side,
                                                                  .levels = &levels,
                                                                  .level = level,
                                                                  .place = place})
                          .second;
  CHECK(is_new) << "order " << arrival.order_id << " rests twice";
}

void DepthView::SetRemaining(OrderId order, Quantity remaining) {
  const auto found = orders_.find(order);
  CHECK(found != orders_.end()) << "order " << order << " does not rest";
  const Location& location = found->second;
  Level& level = location.level->second;
  level.quantity -= location.place->quantity_remaining - remaining;
  location.place->quantity_remaining = remaining;
  if (!remaining.is_zero()) return;
  level.queue.erase(location.place);
  if (level.queue.empty()) location.levels->erase(location.level);
  orders_.erase(found);
}

void DepthView::VisitLevels(MarketId market, Side side,
                            absl::FunctionRef<bool(Price, const Level&)> visit) const {
  const auto found = markets_.find(market);
  if (found == markets_.end()) return;
  const Levels& levels = found->second.levels(side);
  if (side == Side::kBid) {
    for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
      if (!visit(level->first, level->second)) return;
    }
  } else {
    for (const auto& [price, level] : levels) {
      if (!visit(price, level)) return;
    }
  }
}

const DepthView::Level* DepthView::FindLevel(MarketId market, Side side, Price price) const {
  const auto found = markets_.find(market);
  if (found == markets_.end()) return nullptr;
  const Levels& levels = found->second.levels(side);
  const auto level = levels.find(price);
  return level == levels.end() ? nullptr : &level->second;
}

std::optional<Price> DepthView::BestPrice(MarketId market, Side side) const {
  std::optional<Price> best;
  VisitLevels(market, side, [&](Price price, const Level&) {
    best = price;
    return false;
  });
  return best;
}

std::optional<DepthView::Standing> DepthView::FindOrder(OrderId order) const {
  const auto found = orders_.find(order);
  if (found == orders_.end()) return std::nullopt;
  const Location& location = found->second;
  Standing standing{.market = location.market,
                    .side = location.side,
                    .price = location.level->first,
                    .quantity_remaining = location.place->quantity_remaining,
                    .orders_ahead = 0,
                    .quantity_ahead = Quantity()};
  for (const Place& place : location.level->second.queue) {
    if (place.order == order) break;
    ++standing.orders_ahead;
    standing.quantity_ahead += place.quantity_remaining;
  }
  return standing;
}

}  // namespace engine
