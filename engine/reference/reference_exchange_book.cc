#include <algorithm>
#include <optional>

#include "absl/functional/function_ref.h"
#include "engine/base/check.h"
#include "engine/reference/reference_exchange.h"
#include "engine/reference/reference_exchange_arrival.h"

namespace engine {

const RestingOrder* ReferenceExchange::Market::Front(Side side) const {
  if (side == Side::kBid) return bids.empty() ? nullptr : &bids.begin()->second.front();
  return asks.empty() ? nullptr : &asks.begin()->second.front();
}

void ReferenceExchange::Market::Walk(Side side,
                                     absl::FunctionRef<bool(const RestingOrder&)> visit) const {
  const auto walk = [&](const auto& levels) {
    for (const auto& [price, level] : levels) {
      for (const RestingOrder& order : level) {
        if (!visit(order)) return;
      }
    }
  };
  return side == Side::kBid ? walk(bids) : walk(asks);
}

// Adds `order` to the end of the queue at its price, and to every index.
void ReferenceExchange::Rest(const RestingOrder& order) {
  Market& market = markets_.at(order.market);
  Level& level = order.side == Side::kBid ? market.bids[order.price] : market.asks[order.price];
  CHECK(orders_.emplace(order.id, level.insert(level.end(), order)).second);
  if (order.account != AccountId()) orders_of_[order.account].insert(order.id);
  if (order.tif == TimeInForce::kGoodTillTime) expiries_.emplace(order.expires_at, order.id);
  Require(order, +1);
}

// The opposite of Rest. Returns the order as it was at the end.
RestingOrder ReferenceExchange::Leave(OrderId id) {
  const auto found = orders_.find(id);
  CHECK(found != orders_.end()) << "order " << id;
  const RestingOrder order = *found->second;
  Require(order, -1);
  expiries_.erase({order.expires_at, id});
  if (const auto own = orders_of_.find(order.account); own != orders_of_.end()) {
    own->second.erase(id);
    if (own->second.empty()) orders_of_.erase(own);
  }
  Market& market = markets_.at(order.market);
  const auto remove_from = [&](auto& levels) {
    Level& level = levels.at(order.price);
    level.erase(found->second);
    if (level.empty()) levels.erase(order.price);
  };
  if (order.side == Side::kBid) {
    remove_from(market.bids);
  } else {
    remove_from(market.asks);
  }
  orders_.erase(found);
  return order;
}

// `change` changes the order where it rests, but not its price, market or account.
void ReferenceExchange::ChangeInPlace(OrderId id, absl::FunctionRef<void(RestingOrder&)> change) {
  RestingOrder& order = *orders_.at(id);
  Require(order, -1);
  change(order);
  Require(order, +1);
}

void ReferenceExchange::VisitOrders(MarketId market, Side side,
                                    absl::FunctionRef<void(const RestingOrder&)> visit) const {
  const Market* const found = FindMarket(market);
  if (found == nullptr) return;
  found->Walk(side, [&](const RestingOrder& order) {
    visit(order);
    return true;
  });
}

bool ReferenceExchange::WouldTrade(const Arrival& arrival) const {
  const Market& market = markets_.at(arrival.order.market);
  if (market.is_mirrored()) return false;
  const RestingOrder* const front = market.Front(Opposite(arrival.order.side));
  return front != nullptr && arrival.Accepts(front->price);
}

void ReferenceExchange::TakeAway(OrderId id, Quantity less) {
  if (less >= orders_.at(id)->quantity_remaining) {
    CancelResting(id, CancelReason::kReduced);
    return;
  }
  ChangeInPlace(id, [&](RestingOrder& order) { order.quantity_remaining -= less; });
  AppendAbout(EventKind::kReduced, *orders_.at(id)).quantity = less;
}

// Trades what can trade, then rests or cancels what remains.
void ReferenceExchange::Enter(Arrival& arrival) {
  RestingOrder& order = arrival.order;
  if (order.tif == TimeInForce::kFillOrKill && MustKill(arrival)) {
    AppendCancelled(order, CancelReason::kFillOrKill);
    return;
  }
  if (order.flags.post_only() && WouldTrade(arrival)) {
    AppendCancelled(order, CancelReason::kPostOnly);
    return;
  }
  Walk(arrival);
  if (order.quantity_remaining.is_zero()) return;
  if (arrival.met_own_order) {
    AppendCancelled(order, CancelReason::kSelfTrade);
  } else if (arrival.cap.has_value() && order.quantity_filled == *arrival.cap) {
    AppendCancelled(order, CancelReason::kReduceOnly);
  } else if (MayRest(order.tif)) {
    Rest(order);
  } else {
    AppendCancelled(order, CancelReason::kImmediateOrCancel);
  }
}

// Whether the orders of others, as far as the fill-or-kill order reaches, cannot fill it. It
// reaches kFillOrKillReach prices, or as many orders if it prevents self-trades. With
// fok_becomes_ioc, an order that meets an own order before it is filled is immediate-or-cancel and
// not killed.
bool ReferenceExchange::MustKill(const Arrival& arrival) const {
  const Market& market = markets_.at(arrival.order.market);
  Quantity of_others;
  bool met_own = false;
  int reached = 0;
  std::optional<Price> price;
  market.Walk(Opposite(arrival.order.side), [&](const RestingOrder& other) {
    if (!arrival.Accepts(other.price) || of_others >= arrival.order.quantity_remaining) {
      return false;
    }
    if (arrival.prevents_self_trade() || price != other.price) ++reached;
    if (reached > kFillOrKillReach) return false;
    price = other.price;
    if (!arrival.Avoids(other)) {
      of_others += other.quantity_remaining;
      return true;
    }
    met_own = true;
    return arrival.goes_on_after_own();
  });
  if (met_own && market.definition->fok_becomes_ioc) return false;
  return of_others < arrival.order.quantity_remaining;
}

void ReferenceExchange::Walk(Arrival& arrival) {
  RestingOrder& order = arrival.order;
  while (true) {
    Quantity wanted = order.quantity_remaining;
    if (arrival.cap.has_value()) wanted = std::min(wanted, *arrival.cap - order.quantity_filled);
    if (wanted.is_zero() || !WouldTrade(arrival)) return;
    const RestingOrder maker = *markets_.at(order.market).Front(Opposite(order.side));
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
  const RestingOrder& maker = *orders_.at(maker_id);
  const Market& market = markets_.at(maker.market);
  const auto trade = [&](RestingOrder& order) {
    order.quantity_remaining -= quantity;
    order.quantity_filled += quantity;
    CountGroupFill(order, quantity);
    CountTraded(order, quantity);
  };
  Paid maker_paid;
  ChangeInPlace(maker_id, [&](RestingOrder& order) {
    trade(order);
    if (!market.is_binary()) return;
    maker_paid = PayForFill(order, order.price, quantity, market.fees.maker_coefficient);
  });
  trade(taker);
  Event& event = AppendAbout(EventKind::kTrade, maker);
  event.counter_order_id = taker.id;
  event.quantity = quantity;
  if (market.is_binary()) {
    AppendFillEvents(maker, quantity, maker_paid);
    const Paid taker_paid = PayForFill(taker, maker.price, quantity, market.fees.taker_coefficient);
    AppendFillEvents(taker, quantity, taker_paid);
  }
  if (maker.quantity_remaining.is_zero()) Leave(maker_id);
}

}  // namespace engine
