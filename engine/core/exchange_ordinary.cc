// Orders without special terms in an open equity market, their cancels and amends. Three paths,
// each for what the one before it does not take:
//
//   fast path   allocates nothing, calls nothing else (exchange_fast_path*.cc)
//   ordinary    may trade, take a new page or block, count for limits
//   slow path   has special terms or is refused: validated check by check (exchange_orders.cc)

#include <cstdint>

#include "engine/base/check.h"
#include "engine/base/inline.h"
#include "engine/book/fault.h"
#include "engine/core/exchange.h"
#include "engine/core/exchange_matching.h"
#include "engine/core/order_events.h"
#include "engine/core/ordinary_words.h"
#include "engine/messages/event.h"
#include "engine/types/order_type.h"

namespace engine {

// Applies any command, in any state of the exchange: CHECKs that it is the next one and expires
// orders first.
ENGINE_OUT_OF_LINE void Exchange::ApplySlowPath(const Command& command, EventBuffer& events) {
  CHECK_EQ(command.sequence, last_applied_.Next()) << "(J1)";
  if (last_applied_ != SequenceNumber()) CHECK_GE(command.timestamp, now_);
  last_applied_ = command.sequence;
  now_ = command.timestamp;
  events.Begin(command.sequence);
  ExpireOrders(command.timestamp, events);
  if (state_ == ExchangeState::kActive && events.is_empty()) {
    if (command.kind == CommandKind::kNewOrder) return OrdinaryNewOrder(command, events);
    if (command.kind == CommandKind::kCancel) return OrdinaryCancel(command, events);
    if (command.kind == CommandKind::kAmend) return OrdinaryAmend(command, events);
  }
  ApplyAny(command, events);
}

ENGINE_OUT_OF_LINE void Exchange::OrdinaryNewOrder(const Command& command, EventBuffer& events) {
  events.Begin(command.sequence);
  Market* const market = markets_.Find(command.market);
  if (market == nullptr || !market->is_ordinary()) {
    return OrdinaryWithMoney(command, market, events);
  }
  int64_t limit = kAnyRank;
  bool is_ordinary = false;
  if (HasTerms(command, OrderType::kLimit, TimeInForce::kGoodTillCancelled) ||
      HasTerms(command, OrderType::kLimit, TimeInForce::kImmediateOrCancel)) {
    const uint64_t price = market->prices.IndexOf(command.price.units());
    is_ordinary = price < market->prices.size();
    limit = LimitOf(RankOf(command.side, price));
  } else if (HasTerms(command, OrderType::kMarket, TimeInForce::kImmediateOrCancel)) {
    is_ordinary = command.price == Price();
  }
  if (!is_ordinary || !market->Allows(command.quantity)) return ApplyAny(command, events);
  using Rests = RiskControl::Request::Rests;
  const bool may_rest = engine::Rests(command.tif);
  if (!PassesLimits(command, command.side, *market, may_rest ? Rests::kYes : Rests::kNo)) {
    return ApplyAny(command, events);
  }
  if (!may_rest || market->book.Crosses(command.side, limit)) {
    return Take(command, *market, limit, events);
  }
  RestAnywhere(command, *market, LimitOf(limit), events);
}

// Accepts and rests an order that has been validated and does not cross.
ENGINE_OUT_OF_LINE void Exchange::RestAnywhere(const Command& command, Market& market, int64_t rank,
                                               EventBuffer& events) {
  events.Begin(command.sequence);
  Write(events.AppendUnset(), EventKind::kAccepted, SubjectOf(command), command.quantity,
        command.quantity);
  Wait(command, market, rank, command.quantity);
}

// Accepts an order that has been validated and may trade or must not rest. `limit` is kAnyRank or
// that of its price.
ENGINE_OUT_OF_LINE void Exchange::Take(const Command& command, Market& market, int64_t limit,
                                       EventBuffer& events) {
  events.Begin(command.sequence);
  Write(events.AppendUnset(), EventKind::kAccepted, SubjectOf(command), command.quantity,
        command.quantity);
  const Quantity left = TradeOrdinary(market,
                                      {.sequence = command.sequence,
                                       .id = OrderIdOf(command.sequence),
                                       .side = command.side,
                                       .limit = limit},
                                      command.quantity, events);
  if (!left.is_zero()) {
    if (Rests(command.tif) || (ENGINE_FAULT(kImmediateRests) && limit != kAnyRank)) {
      Wait(command, market, LimitOf(limit), left);
    } else {
      const auto index = static_cast<uint32_t>(events.size());
      Write(events.AppendUnset(), EventKind::kCancelled, SubjectOf(command), left, Quantity(),
            static_cast<uint8_t>(CancelReason::kImmediateOrCancel), index);
    }
  }
  if (groups_.has_fills()) TripGroups(events);
}

// `remaining` of the command's order rests at its price.
ENGINE_ALWAYS_INLINE void Exchange::Wait(const Command& command, Market& market, int64_t rank,
                                         Quantity remaining) {
  const Slot slot = storage_.NewOrder();
  Fill(storage_.order(slot), SubjectOf(command), remaining, command.quantity - remaining,
       command.tif);
  index_.Insert(OrderIdOf(command.sequence), slot);
  market.book.Add(slot, command.side, rank);
  if (risk_.has_limits()) Register(market, slot);
}

ENGINE_OUT_OF_LINE void Exchange::OrdinaryCancel(const Command& command, EventBuffer& events) {
  events.Begin(command.sequence);
  const Slot slot = index_.Find(command.order_id);
  if (slot == Slot()) return RefuseIfNotLive(command, events);
  const OrderSlot& order = storage_.order(slot);
  if (OwnerOf(order) != OwnerOf(command)) return ApplyAny(command, events);
  AppendCancelled(events, order, CancelReason::kRequested);
  Remove(*markets_.Find(command.market), slot);
}

// Cancels an order that has nothing left to undo.
ENGINE_OUT_OF_LINE void Exchange::Leave(const Command& command, EventBuffer& events, Slot slot) {
  events.Begin(command.sequence);
  AppendCancelled(events, storage_.order(slot), CancelReason::kRequested);
  index_.Erase(command.order_id);
  const Slot empty = OrderBook::Unlink(storage_.memory(), slot);
  storage_.FreeOrder(slot);
  if (empty != Slot()) markets_.Find(command.market)->book.RemoveLevel(empty);
}

// Amends a good-till-cancelled order without flags or extras in an open equity market; all other
// amends go to ApplyAny.
ENGINE_OUT_OF_LINE void Exchange::OrdinaryAmend(const Command& command, EventBuffer& events) {
  events.Begin(command.sequence);
  const Slot slot = index_.Find(command.order_id);
  if (slot == Slot()) return RefuseIfNotLive(command, events);
  OrderSlot& order = storage_.order(slot);
  if (OwnerOf(order) != OwnerOf(command)) return ApplyAny(command, events);
  Market& market = *markets_.Find(command.market);
  const uint64_t price = market.prices.IndexOf(command.price.units());
  ChangesNow(slot);
  if (!market.is_ordinary() || order.tif != TimeInForce::kGoodTillCancelled ||
      order.flags != OrderFlags() || order.marks.has(OrderMarks::kExtras) ||
      price >= market.prices.size() || !market.Allows(command.quantity) ||
      command.quantity <= order.quantity_filled ||
      !PassesLimits(command, order.side, market, RiskControl::Request::Rests::kAlready)) {
    return ApplyAny(command, events);
  }
  if (KeepsPriority(command, order)) return AmendInPlace(market, command, slot, events);
  const int64_t rank = RankOf(order.side, price);
  Arrival arrival{.slot = slot,
                  .rank = rank,
                  .limit = LimitOf(rank),
                  .may_trade = command.quantity - order.quantity_filled};
  AmendTo<true>(market, command, arrival, events);
  if (groups_.has_fills()) TripGroups(events);
}

}  // namespace engine
