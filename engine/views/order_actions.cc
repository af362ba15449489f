#include "engine/views/order_actions.h"

#include "engine/base/check.h"
#include "engine/messages/kinds.h"
#include "engine/messages/reject_reason.h"

namespace engine {

using Kind = OrderAction::Kind;

void OrderActions::Know(OrderId order, MarketId market, Side side, Price price,
                        Quantity remaining) {
  uint32_t at = free_first_;
  if (at == DenseIdTable::kNone) {
    CHECK_LT(pool_.size(), size_t{DenseIdTable::kNone});
    at = static_cast<uint32_t>(pool_.size());
    pool_.emplace_back();
  } else {
    free_first_ = pool_[at].next_free;
  }
  pool_[at] = {.price = price, .remaining = remaining, .market = market, .side = side};
  places_.Insert(order.value(), at);
}

void OrderActions::Take(const Command& command, std::span<const Event> events, Visit visit) {
  if (command.sequence != sequence_) {
    Finish(visit);
    sequence_ = command.sequence;
    time_ = command.timestamp;
  }
  for (const Event& event : events) TakeEvent(event, visit);
}

void OrderActions::Finish(Visit visit) {
  if (arriving_ == OrderId()) return;
  if (!arrival_.remaining.is_zero()) {
    Know(arriving_, arrival_.market, arrival_.side, arrival_.price, arrival_.remaining);
    OrderAction action = ActionOf(Kind::kAdd, arriving_, arrival_, arrival_.remaining);
    action.quantity_change = static_cast<int64_t>(arrival_.remaining.units());
    action.order_count_change = 1;
    visit(action);
  }
  arriving_ = OrderId();
}

void OrderActions::TakeEvent(const Event& event, Visit visit) {
  switch (event.kind) {
    case EventKind::kAccepted:
      return Arrive(event);
    case EventKind::kReplaced:
      Lower(event.counter_order_id, Quantity(), Kind::kCancel, visit);
      return Arrive(event);
    case EventKind::kAmended:
      if (event.priority() == PriorityOutcome::kKept) {
        return Lower(event.order_id, event.quantity_remaining, Kind::kModify, visit);
      }
      Lower(event.order_id, Quantity(), Kind::kCancel, visit);
      return Arrive(event);
    case EventKind::kTrade:
      return Trade(event, visit);
    case EventKind::kCancelled:
    case EventKind::kReduced:
      if (event.order_id == arriving_) {
        arrival_.remaining = event.quantity_remaining;
      } else {
        Lower(event.order_id, event.quantity_remaining, Kind::kCancel, visit);
      }
      return;
    default:
      return;  // The event concerns no order in the book.
  }
}

void OrderActions::Arrive(const Event& event) {
  CHECK_EQ(arriving_, OrderId()) << "two orders arrive in command " << event.sequence;
  arriving_ = event.order_id;
  arrival_ = {.price = event.price,
              .remaining = event.quantity_remaining,
              .market = event.market,
              .side = event.side};
}

void OrderActions::Trade(const Event& event, Visit visit) {
  // In a mirrored market no order arrives: an execution trades with the order that it names, or
  // with none.
  if (arriving_ != OrderId()) {
    CHECK_EQ(event.counter_order_id, arriving_) << "in command " << event.sequence;
    arrival_.remaining -= event.quantity;
  }
  const Resting maker = {.price = event.price, .market = event.market, .side = event.side};
  OrderAction action = ActionOf(Kind::kTrade, event.counter_order_id, maker, event.quantity);
  if (IsValid(event.side)) action.side = Opposite(event.side);
  visit(action);
  if (event.order_id == OrderId()) return;
  visit(ActionOf(Kind::kFill, event.order_id, maker, event.quantity));
  Lower(event.order_id, event.quantity_remaining, Kind::kCancel, visit);
}

void OrderActions::Lower(OrderId order, Quantity remaining, Kind kind, Visit visit) {
  const uint32_t at = places_.Find(order.value());
  CHECK(at != DenseIdTable::kNone) << "order " << order << " does not rest";
  Resting& resting = pool_[at];
  const Quantity less = resting.remaining - remaining;
  if (remaining.is_zero()) kind = Kind::kCancel;
  OrderAction action = ActionOf(kind, order, resting, kind == Kind::kModify ? remaining : less);
  action.quantity_change = -static_cast<int64_t>(less.units());
  action.order_count_change = remaining.is_zero() ? -1 : 0;
  resting.remaining = remaining;
  if (remaining.is_zero()) {
    resting.next_free = free_first_;
    free_first_ = at;
    places_.Erase(order.value());
  }
  visit(action);
}

OrderAction OrderActions::ActionOf(Kind kind, OrderId order, const Resting& resting,
                                   Quantity size) const {
  return {.kind = kind,
          .side = resting.side,
          .market = resting.market,
          .order = order,
          .price = resting.price,
          .size = size,
          .sequence = sequence_,
          .time = time_};
}

}  // namespace engine
