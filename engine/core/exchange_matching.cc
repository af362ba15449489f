// What becomes of an order on its way into the book, and what each trade settles.

#include <algorithm>

#include "engine/base/check.h"
#include "engine/core/exchange.h"
#include "engine/core/fault.h"
#include "engine/core/order_events.h"
#include "engine/messages/event.h"
#include "engine/types/order_flags.h"

namespace engine {
namespace {

using Meeting = ReferenceBook::Meeting;

// Whether `taker` must not trade with `maker`.
bool IsOwn(const RestingOrder& taker, const RestingOrder& maker) {
  return (taker.account != AccountId() || ENGINE_FAULT(kSelfTradeOfAnonymous)) &&
         taker.account == maker.account;
}

bool PreventsSelfTrade(const RestingOrder& taker) {
  return taker.flags.self_trade_prevention() != SelfTradePrevention::kNone &&
         (taker.account != AccountId() || ENGINE_FAULT(kSelfTradeOfAnonymous));
}

Meeting MeetingWithOwn(SelfTradePrevention prevention) {
  switch (prevention) {
    case SelfTradePrevention::kNone:
      return Meeting::kTrade;
    case SelfTradePrevention::kCancelTaker:
      return Meeting::kStop;
    case SelfTradePrevention::kCancelMaker:
      return ENGINE_FAULT(kCancelMakerStops) ? Meeting::kRemoveMakerAndStop : Meeting::kRemoveMaker;
    case SelfTradePrevention::kCancelBoth:
      return ENGINE_FAULT(kCancelBothSparesMaker) ? Meeting::kStop : Meeting::kRemoveMakerAndStop;
  }
  return Meeting::kTrade;
}

}  // namespace

// `arrival`, which has been announced, trades; what remains of it rests or is cancelled.
void Exchange::Enter(Market& market, Arrival& arrival, EventBuffer& events) {
  RestingOrder& order = arrival.order;
  if (arrival.tif == TimeInForce::kFillOrKill) {
    // One that would meet an own order is as good as immediate or cancel.
    const bool meets_own =
        PreventsSelfTrade(order) && !ENGINE_FAULT(kFillOrKillIgnoresOwn) &&
        market.book.Meets(order.side, arrival.limit, order.quantity_remaining,
                          [&](const RestingOrder& maker) { return IsOwn(order, maker); });
    if (!meets_own && !market.book.CanFill(order.side, arrival.limit, order.quantity_remaining)) {
      AppendCancelled(events, order, CancelReason::kFillOrKill);
      return;
    }
  }
  const Quantity asked = order.quantity_remaining;
  const bool was_stopped = Trade(market, arrival, events);
  if (order.quantity_remaining.is_zero()) return;
  if (was_stopped) {
    AppendCancelled(events, order, CancelReason::kSelfTrade);
  } else if (Rests(arrival.tif)) {
    Rest(market, order);
  } else {
    const bool used_up_position = asked - order.quantity_remaining == arrival.may_trade &&
                                  !ENGINE_FAULT(kReduceOnlyReasonWrong);
    AppendCancelled(
        events, order,
        used_up_position ? CancelReason::kReduceOnly : CancelReason::kImmediateOrCancel);
  }
}

// Trades what can trade of `arrival`. Whether self-trade prevention ended it.
bool Exchange::Trade(Market& market, Arrival& arrival, EventBuffer& events) {
  RestingOrder& taker = arrival.order;
  const auto on_trade = [&](RestingOrder& maker, Quantity traded) {
    taker.quantity_remaining -= traded;
    taker.quantity_filled += traded;
    SettleTrade(market, maker, taker, traded, events);
  };
  if (!PreventsSelfTrade(taker)) {
    market.book.Match(taker.side, arrival.limit, arrival.may_trade, on_trade);
    return false;
  }
  bool was_stopped = false;
  const auto on_meet = [&](const RestingOrder& maker) {
    if (!IsOwn(taker, maker)) return Meeting::kTrade;
    const Meeting meeting = MeetingWithOwn(taker.flags.self_trade_prevention());
    was_stopped = meeting != Meeting::kRemoveMaker;
    if (meeting != Meeting::kStop) {
      AppendCancelled(events, maker, CancelReason::kSelfTrade);
      Release(market, maker);
      Forget(maker);
    }
    return meeting;
  };
  market.book.Match(taker.side, arrival.limit, arrival.may_trade, on_meet, on_trade);
  return was_stopped;
}

// Both have traded: their quantities say so already.
void Exchange::SettleTrade(Market& market, RestingOrder& maker, RestingOrder& taker,
                           Quantity traded, EventBuffer& events) {
  Event& event = AppendAbout(events, EventKind::kTrade, maker);
  event.counter_order_id = taker.id;
  event.quantity = traded;
  if (market.is_binary()) {
    SettleFill(market, maker, traded, maker.price, FeeRole::kMaker, events);
    SettleFill(market, taker, traded, maker.price, FeeRole::kTaker, events);
  }
  if (!ENGINE_FAULT(kGroupCountsTakers)) CountGroupFill(maker, traded);
  CountGroupFill(taker, traded);
  if (maker.quantity_remaining.is_zero()) Forget(maker);
}

// One party's side of a trade. Only the maker's order keeps something reserved: the taker's does
// once it rests.
void Exchange::SettleFill(Market& market, RestingOrder& order, Quantity traded, Price price,
                          FeeRole role, EventBuffer& events) {
  const bool rests = role == FeeRole::kMaker;
  Money before;
  if (rests) {
    RestingOrder untraded = order;
    untraded.quantity_remaining += traded;
    before = Requirement(market, untraded);
  }
  const Quantity closed =
      std::min(traded, ledger_.Closable(order.account, order.market, order.side));
  const FillMoney fill =
      market.money.Fill(order.side, traded, price, closed, market.fees, role, order.credit);
  order.credit = fill.credit;
  const Money after = rests ? Requirement(market, order) : Money();
  ledger_.Apply(order.account, order.market, market.money, order.side, traded, fill,
                after - before);

  Event& event =
      AppendBalance(events, order.account, fill.change, fill.fee, ledger_.StateOf(order.account));
  event.order_id = order.id;
  event.market = order.market;
  AppendPosition(events, order.account, order.market,
                 ledger_.PositionOf(order.account, order.market), traded);
}

void Exchange::CountGroupFill(const RestingOrder& order, Quantity traded) {
  if (order.group != GroupId()) {
    groups_.AddFill({order.account, order.group}, applying_, traded);
  }
}

// Ends the orders of the groups that reached their limits.
void Exchange::TripGroups(EventBuffer& events) {
  for (const OrderGroups::Trip& trip : groups_.TakeTrips()) {
    Event& event = events.Append(EventKind::kGroupTripped);
    event.account = trip.key.first;
    event.order_id = OrderId(trip.key.second.value());
    event.quantity = trip.traded;
    for (const OrderId order : trip.orders) CancelById(order, CancelReason::kGroupLimit, events);
  }
}

// What `resting` keeps reserved before pairs are taken off.
Money Exchange::Requirement(const Market& market, const RestingOrder& resting) const {
  return market.money.Requirement(resting.side, resting.quantity_remaining, resting.price,
                                  market.fees, FeeRole::kMaker, resting.credit);
}

// What remains of `order`, which is something, waits in the book.
void Exchange::Rest(Market& market, const RestingOrder& order) {
  live_orders_.emplace(order.id, market.book.Add(order));
  Reserve(market, order);
  risk_.CountResting(order.account, 1);
  if (order.group != GroupId()) groups_.AddOrder({order.account, order.group}, order.id);
  if (order.tif == TimeInForce::kGoodTillTime) expiries_.Add(order.expires_at, order.id);
}

// `order` leaves the book: the opposite of Rest, but for the book and the money.
void Exchange::Forget(const RestingOrder& order) {
  live_orders_.erase(order.id);
  risk_.CountResting(order.account, -1);
  if (order.group != GroupId()) groups_.RemoveOrder({order.account, order.group}, order.id);
  if (order.tif == TimeInForce::kGoodTillTime) expiries_.Remove(order.expires_at, order.id);
}

void Exchange::Reserve(const Market& market, const RestingOrder& order) {
  if (!market.is_binary()) return;
  ledger_.Require(order.account, order.market, market.money, order.side,
                  Requirement(market, order));
}

void Exchange::Release(const Market& market, const RestingOrder& order) {
  if (!market.is_binary()) return;
  ledger_.Require(order.account, order.market, market.money, order.side,
                  -Requirement(market, order));
}

void Exchange::Remove(Market& market, ReferenceBook::Handle order) {
  Release(market, *order);
  Forget(*order);
  market.book.Remove(order);
}

}  // namespace engine
