#include <algorithm>

#include "engine/base/check.h"
#include "engine/core/testing/reference_exchange.h"
#include "engine/core/testing/reference_exchange_arrival.h"

namespace engine {

// The orders of one side in priority order: the better price first, then the earlier.
std::vector<const RestingOrder*> ReferenceExchange::Queue(MarketId market, Side side) const {
  std::vector<const RestingOrder*> queue;
  for (const auto& [id, order] : orders_) {
    if (order.market == market && order.side == side) queue.push_back(&order);
  }
  std::sort(queue.begin(), queue.end(), [&](const RestingOrder* a, const RestingOrder* b) {
    if (a->price != b->price) return side == Side::kBid ? a->price > b->price : a->price < b->price;
    return a->priority < b->priority;
  });
  return queue;
}

void ReferenceExchange::VisitOrders(MarketId market, Side side,
                                    absl::FunctionRef<void(const RestingOrder&)> visit) const {
  for (const RestingOrder* const order : Queue(market, side)) visit(*order);
}

bool ReferenceExchange::WouldTrade(const Arrival& arrival) const {
  const auto queue = Queue(arrival.order.market, Opposite(arrival.order.side));
  return !queue.empty() && arrival.Accepts(queue.front()->price);
}

// Trades what can trade, then rests or ends what is left.
void ReferenceExchange::Enter(Arrival& arrival) {
  RestingOrder& order = arrival.order;
  if (order.tif == TimeInForce::kFillOrKill && MustKill(arrival)) {
    AppendCancelled(order, CancelReason::kFillOrKill);
    return;
  }
  Walk(arrival);
  if (order.quantity_remaining.is_zero()) return;
  if (arrival.met_own_order) {
    AppendCancelled(order, CancelReason::kSelfTrade);
  } else if (arrival.cap.has_value() && order.quantity_filled == *arrival.cap) {
    AppendCancelled(order, CancelReason::kReduceOnly);
  } else if (Rests(order.tif)) {
    CHECK(orders_.emplace(order.id, order).second);
  } else {
    AppendCancelled(order, CancelReason::kImmediateOrCancel);
  }
}

// A fill-or-kill order that would meet an own order before it is filled is as good as immediate or
// cancel.
bool ReferenceExchange::MustKill(Arrival& arrival) const {
  Quantity found;
  for (const RestingOrder* const other :
       Queue(arrival.order.market, Opposite(arrival.order.side))) {
    if (!arrival.Accepts(other->price)) break;
    if (arrival.Avoids(*other)) return false;
    found += other->quantity_remaining;
    if (found >= arrival.order.quantity_remaining) return false;
  }
  return true;
}

void ReferenceExchange::Walk(Arrival& arrival) {
  RestingOrder& order = arrival.order;
  while (true) {
    Quantity wanted = order.quantity_remaining;
    if (arrival.cap.has_value()) wanted = std::min(wanted, *arrival.cap - order.quantity_filled);
    if (wanted.is_zero() || !WouldTrade(arrival)) return;
    const RestingOrder& maker = *Queue(order.market, Opposite(order.side)).front();
    if (!arrival.Avoids(maker)) {
      Fill(arrival, maker.id, std::min(wanted, maker.quantity_remaining));
      continue;
    }
    const SelfTradePrevention prevention = order.flags.self_trade_prevention();
    if (prevention != SelfTradePrevention::kCancelTaker) {
      CancelResting(maker.id, CancelReason::kSelfTrade);
    }
    if (prevention != SelfTradePrevention::kCancelMaker) {
      arrival.met_own_order = true;
      return;
    }
  }
}

void ReferenceExchange::Fill(Arrival& arrival, OrderId maker_id, Quantity quantity) {
  RestingOrder& taker = arrival.order;
  RestingOrder maker = orders_.at(maker_id);
  for (RestingOrder* const order : {&maker, &taker}) {
    order->quantity_remaining -= quantity;
    order->quantity_filled += quantity;
    CountGroupFill(*order, quantity);
  }
  Event& event = AppendAbout(EventKind::kTrade, maker);
  event.counter_order_id = taker.id;
  event.quantity = quantity;
  orders_.at(maker_id) = maker;
  const Market& market = markets_.at(maker.market);
  if (market.is_binary()) {
    PayForFill(orders_.at(maker_id), maker.price, quantity, market.fees.maker_coefficient);
    PayForFill(taker, maker.price, quantity, market.fees.taker_coefficient);
  }
  if (maker.quantity_remaining.is_zero()) orders_.erase(maker_id);
}

}  // namespace engine
