#include "engine/gateway/testing/toy_exchange.h"

#include <algorithm>

#include "absl/status/status.h"
#include "engine/types/order_type.h"
#include "engine/types/time_in_force.h"

namespace engine {

absl::StatusOr<SequenceNumber> ToyExchange::Submit(const Command& command, Bytes attachment) {
  if (is_broken_) return absl::UnavailableError("the disk is gone");
  if (is_disk_full_) return absl::ResourceExhaustedError("the disk is full");
  commands_.push_back(command);
  Command& sequenced = commands_.back();
  sequenced.sequence = SequenceNumber(commands_.size());
  sequenced.timestamp = time_;
  const SequenceNumber sequence = sequenced.sequence;
  events_.clear();
  Apply(sequenced);
  listener_->OnApplied(sequenced, events_);
  outcomes_.push_back({.command = sequenced,
                       .attachment = {attachment.begin(), attachment.end()},
                       .events = events_});
  if (outcomes_.size() - released_ > waiting_max_) Release();
  return sequence;
}

void ToyExchange::Release(size_t count) {
  for (; count > 0 && released_ < outcomes_.size(); --count) {
    const Outcome outcome = outcomes_[released_++];  // The listener may submit.
    listener_->OnEvents(outcome.command, outcome.events);
  }
}

void ToyExchange::Apply(const Command& command) {
  if (refuse_next_ != RejectReason::kNone) {
    Reject(command, refuse_next_);
    refuse_next_ = RejectReason::kNone;
    return;
  }
  switch (command.kind) {
    case CommandKind::kDefineMarket:
      Append(EventKind::kMarketDefined, {}).market = command.market;
      return;
    case CommandKind::kNewOrder:
      return NewOrder(command);
    case CommandKind::kCancel: {
      const Order* const order = Find(command.order_id);
      if (order == nullptr) return Reject(command, RejectReason::kOrderNotLive);
      return Cancel(*order, CancelReason::kRequested);
    }
    case CommandKind::kMassCancel:
      return MassCancel(command);
    case CommandKind::kAmend:
      return Amend(command);
    case CommandKind::kReduceTo:
      return ReduceTo(command);
    case CommandKind::kReplace:
      return Replace(command);
    case CommandKind::kSetExpiry:
      if (Find(command.order_id) == nullptr) return Reject(command, RejectReason::kOrderNotLive);
      Append(EventKind::kExpirySet, *Find(command.order_id));
      return;
    case CommandKind::kNote:
      Append(EventKind::kNoted, {}).account = command.account;
      return;
    case CommandKind::kSetPositionLimit: {
      Event& event = Append(EventKind::kPositionLimitSet, {});
      event.account = command.account;
      event.market = command.market;
      event.quantity = command.quantity;
      return;
    }
    default:
      return Reject(command, RejectReason::kUnknownCommand);
  }
}

void ToyExchange::NewOrder(const Command& command) {
  if (command.quantity.is_zero()) return Reject(command, RejectReason::kQuantityZero);
  Order order = {.id = OrderIdOf(command.sequence),
                 .account = command.account,
                 .market = command.market,
                 .side = command.side,
                 .price = command.price,
                 .remaining = command.quantity,
                 .filled = Quantity()};
  Event& accepted = Append(EventKind::kAccepted, order);
  accepted.quantity = accepted.quantity_remaining = command.quantity;
  Trade(order, command.type == OrderType::kMarket);
  if (order.remaining.is_zero()) return;
  if (Rests(command.tif)) {
    orders_.push_back(order);
    return;
  }
  Event& event = Append(EventKind::kCancelled, order);
  event.quantity = order.remaining;
  event.detail = static_cast<uint8_t>(CancelReason::kImmediateOrCancel);
}

void ToyExchange::Cancel(const Order& order, CancelReason reason) {
  Event& event = Append(EventKind::kCancelled, order);
  event.quantity = order.remaining;
  event.detail = static_cast<uint8_t>(reason);
  Remove(order.id);
}

// Of an account's orders in a market, or in all.
void ToyExchange::MassCancel(const Command& command) {
  const std::vector<Order> orders = orders_;
  uint64_t count = 0;
  for (const Order& order : orders) {
    if (order.account != command.account) continue;
    if (command.market != MarketId() && order.market != command.market) continue;
    Cancel(order, CancelReason::kMassCancel);
    ++count;
  }
  Event& event = Append(EventKind::kMassCancelled, {});
  event.account = command.account;
  event.quantity = Quantity::FromUnits(count);
}

void ToyExchange::Amend(const Command& command) {
  Order* const found = Find(command.order_id);
  if (found == nullptr) return Reject(command, RejectReason::kOrderNotLive);
  if (command.quantity <= found->filled) {
    return Reject(command, RejectReason::kQuantityNotAboveFilled);
  }
  const bool keeps_priority =
      command.price == found->price && command.quantity < found->remaining + found->filled;
  Order order = *found;
  order.price = command.price;
  order.remaining = command.quantity - order.filled;
  Event& event = Append(EventKind::kAmended, order);
  event.quantity = command.quantity;
  event.quantity_remaining = order.remaining;
  event.detail =
      static_cast<uint8_t>(keeps_priority ? PriorityOutcome::kKept : PriorityOutcome::kLost);
  if (keeps_priority) {
    *found = order;
    return;
  }
  Remove(order.id);
  Trade(order, false);
  if (!order.remaining.is_zero()) orders_.push_back(order);
}

void ToyExchange::ReduceTo(const Command& command) {
  Order* const order = Find(command.order_id);
  if (order == nullptr) return Reject(command, RejectReason::kOrderNotLive);
  if (command.quantity >= order->remaining) {
    return Reject(command, RejectReason::kQuantityNotBelowRemaining);
  }
  if (command.quantity.is_zero()) return Cancel(*order, CancelReason::kReduced);
  Event& event = Append(EventKind::kReduced, *order);
  event.quantity = order->remaining - command.quantity;
  event.quantity_remaining = order->remaining = command.quantity;
}

void ToyExchange::Replace(const Command& command) {
  const Order* const found = Find(command.order_id);
  if (found == nullptr) return Reject(command, RejectReason::kOrderNotLive);
  Order order = *found;
  Remove(order.id);
  order.id = OrderIdOf(command.sequence);
  order.price = command.price;
  order.remaining = command.quantity;
  order.filled = Quantity();
  Event& event = Append(EventKind::kReplaced, order);
  event.counter_order_id = command.order_id;
  event.quantity = event.quantity_remaining = command.quantity;
  Trade(order, false);
  if (!order.remaining.is_zero()) orders_.push_back(order);
}

void ToyExchange::Trade(Order& taker, bool at_any_price) {
  while (!taker.remaining.is_zero()) {
    Order* const maker = BestMaker(taker, at_any_price);
    if (maker == nullptr) return;
    const Quantity traded = std::min(taker.remaining, maker->remaining);
    taker.remaining -= traded;
    taker.filled += traded;
    maker->remaining -= traded;
    maker->filled += traded;
    Event& event = Append(EventKind::kTrade, *maker);
    event.counter_order_id = taker.id;
    event.price = maker->price;
    event.quantity = traded;
    event.quantity_remaining = maker->remaining;
    if (maker->remaining.is_zero()) Remove(maker->id);
  }
}

bool ToyExchange::Crosses(const Order& taker, const Order& maker, bool at_any_price) const {
  if (maker.market != taker.market || maker.side == taker.side) return false;
  if (at_any_price) return true;
  return taker.side == Side::kBid ? maker.price <= taker.price : maker.price >= taker.price;
}

ToyExchange::Order* ToyExchange::BestMaker(const Order& taker, bool at_any_price) {
  Order* best = nullptr;
  for (Order& order : orders_) {
    if (!Crosses(taker, order, at_any_price)) continue;
    const bool is_better =
        best == nullptr ||
        (taker.side == Side::kBid ? order.price < best->price : order.price > best->price);
    if (is_better) best = &order;
  }
  return best;
}

ToyExchange::Order* ToyExchange::Find(OrderId id) {
  const auto found =
      std::find_if(orders_.begin(), orders_.end(), [id](const Order& o) { return o.id == id; });
  return found == orders_.end() ? nullptr : &*found;
}

void ToyExchange::Remove(OrderId id) {
  std::erase_if(orders_, [id](const Order& order) { return order.id == id; });
}

Event& ToyExchange::Append(EventKind kind, const Order& order) {
  Event& event = events_.emplace_back();
  event.sequence = commands_.back().sequence;
  event.index = static_cast<uint32_t>(events_.size() - 1);
  event.kind = kind;
  event.order_id = order.id;
  event.account = order.account;
  event.market = order.market;
  event.side = order.side;
  event.price = order.price;
  return event;
}

void ToyExchange::Reject(const Command& command, RejectReason reason) {
  Event& event = Append(EventKind::kRejected, {});
  event.order_id = command.order_id;
  event.account = command.account;
  event.market = command.market;
  event.detail = static_cast<uint8_t>(reason);
}

}  // namespace engine
