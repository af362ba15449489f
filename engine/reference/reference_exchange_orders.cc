#include <cstdint>
#include <utility>
#include <vector>

#include "engine/base/check.h"
#include "engine/reference/reference_exchange.h"
#include "engine/reference/reference_exchange_arrival.h"
#include "engine/types/order_type.h"

namespace engine {
namespace {

// The order of a new order or a replace, before it trades.
RestingOrder MakeOrder(const Command& command, Side side) {
  RestingOrder order;
  order.id = OrderIdOf(command.sequence);
  order.priority = command.sequence;
  order.price = command.price;
  order.quantity_remaining = command.quantity;
  order.account = command.account;
  order.market = command.market;
  order.side = side;
  return order;
}

}  // namespace

RejectReason ReferenceExchange::NewOrder(const Command& command) {
  REFUSE_IF(CheckMarket(command));
  if (IsSuspended(command.account)) return RejectReason::kAccountSuspended;
  REFUSE_IF(CheckAllowedHere(command));
  REFUSE_IF(CheckTerms(command));
  REFUSE_IF(CheckQuantity(command));
  if (command.type == OrderType::kLimit) REFUSE_IF(CheckPrice(command));
  const bool has_end = command.tif == TimeInForce::kGoodTillTime;
  if (has_end && command.expires_at() <= now_) return RejectReason::kExpiredOnArrival;
  REFUSE_IF(CheckGroup(command.account, command.group()));

  Arrival arrival;
  arrival.kind = command.kind;
  arrival.order = MakeOrder(command, command.side);
  arrival.order.tif = command.tif;
  arrival.order.flags = command.flags;
  arrival.order.group = command.group();
  if (has_end) arrival.order.expires_at = command.expires_at();
  if (command.type == OrderType::kLimit) {
    arrival.limit = command.price;
    arrival.worst_price = command.price;
  } else {
    const MarketDefinition& definition = *markets_.at(command.market).definition;
    arrival.worst_price = command.side == Side::kBid ? definition.price_max : definition.price_min;
  }
  if (command.flags.reduce_only()) {
    arrival.cap = Reducible(command.account, command.market, command.side);
    if (arrival.cap->is_zero()) return RejectReason::kReduceOnlyNoPosition;
  }
  REFUSE_IF(CheckResources(arrival, nullptr));
  if (command.flags.post_only() && WouldTrade(arrival)) return RejectReason::kPostOnlyWouldCross;

  CountOrder(command.account);
  AppendAbout(EventKind::kAccepted, arrival.order).quantity = command.quantity;
  Enter(arrival);
  return RejectReason::kNone;
}

RejectReason ReferenceExchange::Replace(const Command& command) {
  REFUSE_IF(CheckAddressed(command));
  REFUSE_IF(CheckAllowedHere(command));
  REFUSE_IF(CheckQuantity(command));
  REFUSE_IF(CheckPrice(command));
  const RestingOrder old = *orders_.at(command.order_id);
  REFUSE_IF(CheckGroup(old.account, old.group));

  Arrival arrival;
  arrival.kind = command.kind;
  arrival.order = MakeOrder(command, old.side);
  arrival.order.tif = old.tif;
  arrival.order.flags = old.flags;
  arrival.order.group = old.group;
  arrival.order.expires_at = old.expires_at;
  arrival.limit = command.price;
  arrival.worst_price = command.price;
  REFUSE_IF(CheckResources(arrival, &old));
  REFUSE_IF(CheckPostOnlyChange(arrival));

  CountOrder(command.account);
  Leave(old.id);
  Event& event = AppendAbout(EventKind::kReplaced, arrival.order);
  event.counter_order_id = old.id;
  event.quantity = command.quantity;
  Enter(arrival);
  return RejectReason::kNone;
}

RejectReason ReferenceExchange::Amend(const Command& command) {
  REFUSE_IF(CheckAddressed(command));
  REFUSE_IF(CheckAllowedHere(command));
  REFUSE_IF(CheckQuantity(command));
  REFUSE_IF(CheckPrice(command));
  const RestingOrder old = *orders_.at(command.order_id);
  if (command.quantity <= old.quantity_filled) return RejectReason::kQuantityNotAboveFilled;
  REFUSE_IF(CheckGroup(old.account, old.group));

  Arrival arrival;
  arrival.kind = command.kind;
  arrival.order = old;
  arrival.order.price = command.price;
  arrival.order.quantity_remaining = command.quantity - old.quantity_filled;
  arrival.limit = command.price;
  arrival.worst_price = command.price;
  REFUSE_IF(CheckResources(arrival, &old));
  REFUSE_IF(CheckPostOnlyChange(arrival));

  CountOrder(command.account);
  const bool keeps_priority =
      command.price == old.price && command.quantity <= old.quantity_total();
  if (!keeps_priority) arrival.order.priority = command.sequence;
  Event& event = AppendAbout(EventKind::kAmended, arrival.order);
  event.quantity = command.quantity;
  event.detail =
      static_cast<uint8_t>(keeps_priority ? PriorityOutcome::kKept : PriorityOutcome::kLost);
  if (keeps_priority) {
    ChangeInPlace(old.id, [&](RestingOrder& order) { order = arrival.order; });
    return RejectReason::kNone;
  }
  Leave(old.id);
  Enter(arrival);
  return RejectReason::kNone;
}

RejectReason ReferenceExchange::SetExpiry(const Command& command) {
  REFUSE_IF(CheckAddressed(command));
  const RestingOrder& order = *orders_.at(command.order_id);
  if (order.tif == TimeInForce::kDay) return RejectReason::kInvalidTimeInForce;
  const Timestamp expires_at = Timestamp::FromNanos(command.price.units());
  const bool has_none = expires_at == Timestamp::FromNanos(0);
  if (!has_none && expires_at <= now_) return RejectReason::kExpiredOnArrival;
  expiries_.erase({order.expires_at, order.id});
  ChangeInPlace(order.id, [&](RestingOrder& changed) {
    changed.tif = has_none ? TimeInForce::kGoodTillCancelled : TimeInForce::kGoodTillTime;
    changed.expires_at = expires_at;
  });
  if (!has_none) expiries_.emplace(expires_at, order.id);
  AppendAbout(EventKind::kExpirySet, order).price = command.price;
  return RejectReason::kNone;
}

// A trade at the mirrored venue. Without an order, it changes nothing.
RejectReason ReferenceExchange::Execute(const Command& command) {
  REFUSE_IF(CheckMarket(command));
  if (!markets_.at(command.market).is_mirrored()) return RejectReason::kMarketNotMirrored;
  const bool names_order = command.order_id != OrderId();
  if (names_order) REFUSE_IF(CheckAddressed(command));
  const RestingOrder* const order = names_order ? &*orders_.at(command.order_id) : nullptr;
  REFUSE_IF(CheckExecution(command, order));
  if (names_order) {
    ChangeInPlace(command.order_id, [&](RestingOrder& changed) {
      changed.quantity_remaining -= command.quantity;
      changed.quantity_filled += command.quantity;
    });
  }
  Event& event = events_->Append(EventKind::kTrade);
  event.order_id = command.order_id;
  event.counter_order_id = OrderIdOf(command.sequence);
  event.price = command.price;
  event.quantity = command.quantity;
  event.market = command.market;
  event.side = names_order ? order->side : command.side;
  if (!names_order) return RejectReason::kNone;
  event.quantity_remaining = order->quantity_remaining;
  if (order->quantity_remaining.is_zero()) Leave(order->id);
  return RejectReason::kNone;
}

RejectReason ReferenceExchange::Cancel(const Command& command) {
  REFUSE_IF(CheckAddressed(command));
  CancelResting(command.order_id, CancelReason::kRequested);
  return RejectReason::kNone;
}

RejectReason ReferenceExchange::Reduce(const Command& command) {
  REFUSE_IF(CheckAddressed(command));
  const MarketDefinition& market = *markets_.at(command.market).definition;
  if (command.quantity.is_zero()) return RejectReason::kQuantityZero;
  if (command.quantity.units() % market.lot.units() != 0) return RejectReason::kQuantityOffLot;
  TakeAway(command.order_id, command.quantity);
  return RejectReason::kNone;
}

RejectReason ReferenceExchange::ReduceTo(const Command& command) {
  REFUSE_IF(CheckAddressed(command));
  const MarketDefinition& market = *markets_.at(command.market).definition;
  const Quantity remaining = orders_.at(command.order_id)->quantity_remaining;
  if (command.quantity.units() % market.lot.units() != 0) return RejectReason::kQuantityOffLot;
  if (command.quantity >= remaining) return RejectReason::kQuantityNotBelowRemaining;
  TakeAway(command.order_id, remaining - command.quantity);
  return RejectReason::kNone;
}

RejectReason ReferenceExchange::MassCancel(const Command& command) {
  const bool any_market = command.market == MarketId();
  const bool any_side = command.side == Side();
  if (!any_market && FindMarket(command.market) == nullptr) return RejectReason::kUnknownMarket;
  if (!any_side && !IsSide(command.side)) return RejectReason::kInvalidSide;
  std::vector<OrderId> ids;
  const auto consider = [&](const RestingOrder& order) {
    const bool is_meant = (any_market || order.market == command.market) &&
                          (command.group() == GroupId() || order.group == command.group()) &&
                          (any_side || order.side == command.side);
    if (is_meant) ids.push_back(order.id);
  };
  if (command.account == AccountId()) {
    for (const auto& [id, order] : orders_) consider(*order);
  } else if (const auto own = orders_of_.find(command.account); own != orders_of_.end()) {
    for (const OrderId id : own->second) consider(*orders_.at(id));
  }
  const auto count = static_cast<uint64_t>(ids.size());
  CancelEach(std::move(ids), CancelReason::kMassCancel);
  Event& event = events_->Append(EventKind::kMassCancelled);
  event.account = command.account;
  event.market = command.market;
  event.side = command.side;
  event.quantity = Quantity::FromUnits(count);
  return RejectReason::kNone;
}

// Whether the account may send commands to the market.
RejectReason ReferenceExchange::CheckMarket(const Command& command) const {
  const Market* const market = FindMarket(command.market);
  if (market == nullptr) return RejectReason::kUnknownMarket;
  if (command.kind == CommandKind::kCancel) return RejectReason::kNone;
  if (market->is_mirrored() && command.account != AccountId()) {
    return RejectReason::kMarketIsMirrored;
  }
  if (market->has_money() && !IsOpen(command.account)) return RejectReason::kUnknownAccount;
  return RejectReason::kNone;
}

// Whether the order that the command names is live and its account's. A cancel needs no open
// account, a replace and an amend one that is not suspended.
RejectReason ReferenceExchange::CheckAddressed(const Command& command) const {
  REFUSE_IF(CheckMarket(command));
  const bool changes = command.kind == CommandKind::kReplace || command.kind == CommandKind::kAmend;
  if (changes && IsSuspended(command.account)) return RejectReason::kAccountSuspended;
  const OrderId id = command.order_id;
  if (id == OrderId() || id.value() >= command.sequence.value()) return RejectReason::kUnknownOrder;
  const auto found = orders_.find(id);
  if (found == orders_.end()) return RejectReason::kOrderNotLive;
  if (found->second->market != command.market) return RejectReason::kWrongMarket;
  if (found->second->account != command.account) return RejectReason::kWrongAccount;
  return RejectReason::kNone;
}

// Whether the market's state allows new orders, replaces and amends.
RejectReason ReferenceExchange::CheckAllowedHere(const Command& command) const {
  switch (markets_.at(command.market).state) {
    case MarketState::kOpen:
      return RejectReason::kNone;
    case MarketState::kPaused:
      return RejectReason::kMarketPaused;
    default:
      return RejectReason::kMarketNotOpen;
  }
}

// Refuses a change after which a post-only order would trade, unless its market cancels it.
RejectReason ReferenceExchange::CheckPostOnlyChange(const Arrival& arrival) const {
  const MarketDefinition& market = *markets_.at(arrival.order.market).definition;
  const bool is_refused =
      arrival.order.flags.post_only() && WouldTrade(arrival) && !market.post_only_change_cancels;
  return is_refused ? RejectReason::kPostOnlyWouldCross : RejectReason::kNone;
}

// Validates the account's risk limits, its position limit, then its money.
RejectReason ReferenceExchange::CheckResources(const Arrival& arrival,
                                               const RestingOrder* instead_of) const {
  REFUSE_IF(CheckRisk(arrival, instead_of));
  REFUSE_IF(CheckPosition(arrival, instead_of));
  const bool costs_money = markets_.at(arrival.order.market).has_money();
  return !costs_money || CanAfford(arrival, instead_of) ? RejectReason::kNone
                                                        : RejectReason::kInsufficientFunds;
}

}  // namespace engine
