// Matches an order on its way into the book, then rests or ends it. Compiled twice: for orders
// without special terms in markets without money (is_ordinary), which skip the checks that concern
// others, and for all orders.
//
//   Enter ─► Trade ─► SettleTrade, one maker at a time
//         └► Rest, or End
//
// Private to the exchange's own files.

#ifndef ENGINE_CORE_EXCHANGE_MATCHING_H_
#define ENGINE_CORE_EXCHANGE_MATCHING_H_

#include <optional>

#include "engine/base/inline.h"
#include "engine/book/fault.h"
#include "engine/core/exchange.h"
#include "engine/core/order_events.h"
#include "engine/core/ordinary_words.h"
#include "engine/messages/event.h"
#include "engine/types/order_flags.h"

namespace engine {

inline bool PreventsSelfTrade(const OrderSlot& taker) {
  return taker.flags.self_trade_prevention() != SelfTradePrevention::kNone &&
         (taker.account != AccountId() || ENGINE_FAULT(kSelfTradeOfAnonymous));
}

// What happens when `taker` meets `maker`, by the taker's self-trade prevention.
OrderBook::Meeting MeetingOf(const OrderSlot& taker, const OrderSlot& maker);

// The request of a new order or an amend to its account's limits, counted at `price`.
ENGINE_ALWAYS_INLINE RiskControl::Request RequestOf(const Command& command, const Market& market,
                                                    Price price,
                                                    RiskControl::Request::Rests rests) {
  return {.account = command.account,
          .market = *market.definition,
          .quantity = command.quantity,
          .price = price,
          .now = command.timestamp,
          .rests = rests};
}

// Validates a new order or an amend against its account's limits, and counts it on true. REQUIRES:
// no later check refuses the command; `side` is the order's. A limit order that does not cross
// counts at its limit; most do not.
ENGINE_ALWAYS_INLINE bool Exchange::PassesLimits(const Command& command, Side side,
                                                 const Market& market,
                                                 RiskControl::Request::Rests rests) {
  if (!risk_.has_limits()) return true;
  const bool is_limit = command.type == OrderType::kLimit || command.kind == CommandKind::kAmend;
  Price price = command.price;
  if (!is_limit) {
    price = NotionalPrice(market, side, std::nullopt);
  } else if (market.book.Crosses(side, LimitOf(market.RankAt(side, price)))) {
    price = NotionalPrice(market, side, price);
  }
  if (risk_.Check(RequestOf(command, market, price, rests)) != RejectReason::kNone) return false;
  risk_.Count(command.account, command.timestamp);
  return true;
}

// Takes `order` out of the digest's sum. Call it before `order` changes or leaves.
ENGINE_ALWAYS_INLINE void Exchange::ChangesNow(Slot order) {
  if (storage_.order(order).marks.has(OrderMarks::kSummed)) SubtractFromSum(order, Quantity());
}

// Trades the arrival; what remains of it rests or is cancelled. REQUIRES: the event that accepts,
// replaces or amends it has been emitted.
template <bool is_ordinary>
void Exchange::Enter(Market& market, const Arrival& arrival, EventBuffer& events) {
  OrderSlot& order = storage_.order(arrival.slot);
  if constexpr (!is_ordinary) {
    if (arrival.tif == TimeInForce::kFillOrKill && !CanFillOrKill(market, arrival)) {
      AppendCancelled(events, order, CancelReason::kFillOrKill);
      return End(arrival);
    }
    // Only in a market with post_only_change_cancels: elsewhere the command was refused.
    if (order.flags.post_only() && market.book.Crosses(order.side, arrival.limit) &&
        !ENGINE_FAULT(kPostOnlyIgnored) && !ENGINE_FAULT(kPostOnlyChangeTrades)) {
      AppendCancelled(events, order, CancelReason::kPostOnly);
      return End(arrival);
    }
  }
  const Quantity asked = order.quantity_remaining;
  bool was_stopped = false;
  if (market.book.Crosses(order.side, arrival.limit)) {
    was_stopped = Trade<is_ordinary>(market, arrival, events);
    if (order.quantity_remaining.is_zero()) return End(arrival);
  }
  if (!is_ordinary && was_stopped) {
    AppendCancelled(events, order, CancelReason::kSelfTrade);
    End(arrival);
  } else if (Rests(arrival.tif) || (ENGINE_FAULT(kImmediateRests) && arrival.limit != kAnyRank)) {
    Rest<is_ordinary>(market, arrival);
  } else {
    const bool used_up_position = !is_ordinary &&
                                  asked - order.quantity_remaining == arrival.may_trade &&
                                  !ENGINE_FAULT(kReduceOnlyReasonWrong);
    AppendCancelled(
        events, order,
        used_up_position ? CancelReason::kReduceOnly : CancelReason::kImmediateOrCancel);
    End(arrival);
  }
}

// Trades up to `may_trade` in a market without money. Returns the quantity that did not trade.
ENGINE_ALWAYS_INLINE Quantity Exchange::TradeOrdinary(Market& market, const Taker& taker,
                                                      Quantity may_trade, EventBuffer& events) {
  const auto always = [](Slot) { return OrderBook::Meeting::kTrade; };
  const auto on_trade = [this, &events, taker](const OrderBook::Fill& fill) {
    const auto index = static_cast<uint32_t>(events.size());
    WriteTrade(events.AppendUnset(), fill, taker.id, taker.sequence, index);
    if (fill.maker.marks.any()) [[unlikely]]
      return SettleMarked(fill);
    if (fill.remains.is_zero()) index_.Erase(fill.maker.id);
  };
  return market.book.Match(taker.side, taker.limit, may_trade, always, on_trade);
}

// Trades what can trade. Returns whether self-trade prevention stopped the taker.
template <bool is_ordinary>
ENGINE_OUT_OF_LINE bool Exchange::Trade(Market& market, const Arrival& arrival,
                                        EventBuffer& events) {
  using Meeting = OrderBook::Meeting;
  OrderSlot& taker = storage_.order(arrival.slot);
  if constexpr (is_ordinary) {
    const Quantity left = TradeOrdinary(
        market,
        {.sequence = last_applied_, .id = taker.id, .side = taker.side, .limit = arrival.limit},
        arrival.may_trade, events);
    const Quantity filled = arrival.may_trade - left;
    taker.quantity_remaining -= filled;
    taker.quantity_filled += filled;
    return false;
  } else {
    const auto on_trade = [&](const OrderBook::Fill& fill) {
      taker.quantity_remaining -= fill.traded;
      taker.quantity_filled += fill.traded;
      SettleTrade(market, fill.slot, arrival.slot, fill.traded, events);
    };
    if (!PreventsSelfTrade(taker)) {
      const auto always = [](Slot) { return Meeting::kTrade; };
      market.book.Match(taker.side, arrival.limit, arrival.may_trade, always, on_trade);
      return false;
    }
    bool was_stopped = false;
    const auto on_meet = [&](Slot maker) {
      const Meeting meeting = MeetingOf(taker, storage_.order(maker));
      was_stopped = meeting == Meeting::kStop || meeting == Meeting::kRemoveMakerAndStop;
      if (meeting == Meeting::kRemoveMaker || meeting == Meeting::kRemoveMakerAndStop) {
        AppendCancelled(events, storage_.order(maker), CancelReason::kSelfTrade);
        Release(maker);
        ChangesNow(maker);
        Forget(maker);
      }
      return meeting;
    };
    market.book.Match(taker.side, arrival.limit, arrival.may_trade, on_meet, on_trade);
    return was_stopped;
  }
}

// What remains of the arrival rests in the book. REQUIRES: it is not zero.
template <bool is_ordinary>
void Exchange::Rest(Market& market, const Arrival& arrival) {
  const OrderSlot& order = storage_.order(arrival.slot);
  if (!arrival.is_known) index_.Insert(order.id, arrival.slot);
  market.book.Add(arrival.slot, order.side, arrival.rank);
  if constexpr (is_ordinary) {
    if (risk_.has_limits() && !arrival.is_known) Register(market, arrival.slot);
  } else {
    if (!arrival.is_known) Register(market, arrival.slot);
    Reserve(market, arrival.slot);
  }
}

// Ends an arrival that does not rest.
ENGINE_ALWAYS_INLINE void Exchange::End(const Arrival& arrival) {
  if (arrival.is_known) Forget(arrival.slot);
  storage_.FreeOrder(arrival.slot);
}

// Ends `order` in the index and wherever it is registered. The opposite of Rest, except for the
// book, the reserved money and the order's slot.
ENGINE_ALWAYS_INLINE void Exchange::Forget(Slot order) {
  OrderSlot& forgotten = storage_.order(order);
  if (forgotten.marks.any()) [[unlikely]]
    Undo(order);
  index_.Erase(forgotten.id);
}

// Takes `order` out of the book, releases its money and frees its slot.
inline void Exchange::Remove(Market& market, Slot order) {
  const OrderMarks marks = storage_.order(order).marks;
  if (marks.has(OrderMarks::kMoney)) [[unlikely]]
    Release(order);
  ChangesNow(order);
  Forget(order);
  market.book.Remove(order);
  storage_.FreeOrder(order);
}

// Applies an amend that loses priority: the order gets the command's terms and enters again. It may
// trade, and rests at the end of its queue. REQUIRES: the order rests unchanged.
template <bool is_ordinary>
void Exchange::AmendTo(Market& market, const Command& command, Arrival& arrival,
                       EventBuffer& events) {
  OrderSlot& order = storage_.order(arrival.slot);
  ChangesNow(arrival.slot);
  market.book.Remove(arrival.slot);
  order.priority = command.sequence;
  order.price = command.price;
  order.quantity_remaining = arrival.may_trade;
  arrival.tif = order.tif;
  arrival.is_known = true;
  Event& event = AppendAbout(events, EventKind::kAmended, order);
  event.quantity = command.quantity;
  event.detail = static_cast<uint8_t>(PriorityOutcome::kLost);
  Enter<is_ordinary>(market, arrival, events);
}

// Whether `order` keeps its priority: the amend keeps the price and does not raise the quantity.
ENGINE_ALWAYS_INLINE bool KeepsPriority(const Command& amend, const OrderSlot& order) {
  if (amend.price != order.price) return false;
  return ENGINE_FAULT(kEqualAmendLosesPriority) ? amend.quantity < order.quantity_total()
                                                : amend.quantity <= order.quantity_total();
}

// Applies an amend that keeps priority to the order in `slot`. REQUIRES: KeepsPriority.
inline void Exchange::AmendInPlace(Market& market, const Command& command, Slot slot,
                                   EventBuffer& events) {
  ChangesNow(slot);
  const OrderSlot& order = storage_.order(slot);
  market.book.Reduce(slot, order.quantity_total() - command.quantity);
  Event& event = AppendAbout(events, EventKind::kAmended, order);
  event.quantity = command.quantity;
  event.detail = static_cast<uint8_t>(PriorityOutcome::kKept);
}

}  // namespace engine

#endif  // ENGINE_CORE_EXCHANGE_MATCHING_H_
