#include "engine/core/matching.h"

#include "engine/core/live_orders.h"
#include "engine/core/order_events.h"
#include "engine/core/settlement.h"
#include "engine/types/order_flags.h"

namespace engine {
namespace {

using Meeting = OrderBook::Meeting;

// Self-trade prevention concerns no order of account zero.
bool PreventsSelfTrade(const OrderSlot& taker) {
  return taker.flags.self_trade_prevention() != SelfTradePrevention::kNone &&
         taker.account != AccountId();
}

// What happens when `taker` meets `maker`. REQUIRES: PreventsSelfTrade(taker).
Meeting MeetingOf(const OrderSlot& taker, const OrderSlot& maker) {
  if (taker.account != maker.account) return Meeting::kTrade;
  switch (taker.flags.self_trade_prevention()) {
    case SelfTradePrevention::kNone:
      return Meeting::kTrade;
    case SelfTradePrevention::kCancelTaker:
      return Meeting::kStop;
    case SelfTradePrevention::kCancelMaker:
      return Meeting::kRemoveMaker;
    case SelfTradePrevention::kCancelBoth:
      return Meeting::kRemoveMakerAndStop;
  }
  return Meeting::kTrade;
}

// Whether the fill-or-kill arrival may trade: it can be filled, or its market makes it
// immediate-or-cancel at an own order.
bool CanFillOrKill(const VenueState& venue, const Market& market, const Arrival& arrival) {
  const OrderSlot& order = venue.order(arrival.slot);
  const Quantity asked = order.quantity_remaining;
  if (!PreventsSelfTrade(order)) {
    return market.book.CanFill(order.side, arrival.limit, asked, kFillOrKillReach);
  }
  bool meets_own = false;
  const auto on_meet = [&](const OrderSlot& maker) {
    const Meeting meeting = MeetingOf(order, maker);
    if (meeting != Meeting::kTrade) meets_own = true;
    return meeting;
  };
  if (market.book.CanFill(order.side, arrival.limit, asked, kFillOrKillReach, on_meet)) return true;
  return meets_own && market.definition().fok_becomes_ioc;
}

// Counts what the arrival has bought or sold for its account's position limit, in a market without
// money.
void CountTaken(VenueState& venue, const OrderSlot& order, Quantity taken) {
  if (venue.position_limits.Find(order.account, order.market) == nullptr) return;
  venue.position_limits.CountTraded(order.account, order.market, order.side, taken);
}

// Trades what can trade. Returns whether self-trade prevention stopped the taker.
bool Trade(VenueState& venue, Market& market, const Arrival& arrival, EventBuffer& events) {
  OrderSlot& order = venue.order(arrival.slot);
  const Taker taker = {.sequence = venue.last_applied, .id = order.id, .side = order.side};
  TakerMoney account;
  if (market.is_binary()) {
    account = {.party = venue.ledger.FindOrAddParty(order.account, order.market),
               .owner = OwnerOf(order),
               .credit = CreditOf(venue, arrival.slot)};
  }
  const bool prevents = PreventsSelfTrade(order);
  bool was_stopped = false;
  const Quantity asked = order.quantity_remaining;
  const auto on_meet = [&](Slot maker) {
    if (!prevents) return Meeting::kTrade;
    const Meeting meeting = MeetingOf(order, venue.order(maker));
    was_stopped = meeting == Meeting::kStop || meeting == Meeting::kRemoveMakerAndStop;
    if (meeting == Meeting::kRemoveMaker || meeting == Meeting::kRemoveMakerAndStop) {
      AppendCancelled(events, venue.order(maker), CancelReason::kSelfTrade);
      Release(venue, maker);
      TakeFromSum(venue, maker);
      Unregister(venue, maker);
    }
    return meeting;
  };
  const auto on_trade = [&](const OrderBook::Fill& fill) {
    order.quantity_remaining -= fill.traded;
    order.quantity_filled += fill.traded;
    if (market.is_binary()) {
      SettleTrade(venue, taker, fill, market, account, events);
    } else {
      SettleTrade(venue, taker, fill, events);
    }
    CountGroupFill(venue, arrival.slot, fill.traded);
  };
  market.book.Match(taker.side, arrival.limit, arrival.may_trade, on_meet, on_trade);
  if (market.is_binary()) {
    SetCredit(venue, arrival.slot, account.credit);
  } else if (venue.position_limits.any()) [[unlikely]] {
    CountTaken(venue, order, asked - order.quantity_remaining);
  }
  return was_stopped;
}

// What remains of the arrival rests in the book. REQUIRES: it is not zero.
void Rest(VenueState& venue, Market& market, const Arrival& arrival) {
  const OrderSlot& order = venue.order(arrival.slot);
  if (!arrival.is_known) AddToIndex(venue, order.id, arrival.slot);
  market.book.Add(arrival.slot, order.side, arrival.rank);
  if (!arrival.is_known) Register(venue, market, arrival.slot);
  Reserve(venue, market, arrival.slot);
}

// Ends an arrival that does not rest.
void End(VenueState& venue, const Arrival& arrival) {
  if (arrival.is_known) Unregister(venue, arrival.slot);
  venue.storage.FreeOrder(arrival.slot);
}

}  // namespace

void Enter(VenueState& venue, Market& market, const Arrival& arrival, EventBuffer& events) {
  OrderSlot& order = venue.order(arrival.slot);
  const auto cancel = [&](CancelReason reason) {
    AppendCancelled(events, order, reason);
    End(venue, arrival);
  };
  if (arrival.tif == TimeInForce::kFillOrKill && !CanFillOrKill(venue, market, arrival)) {
    return cancel(CancelReason::kFillOrKill);
  }
  const bool crosses = WouldTrade(market, order.side, arrival.limit);
  // Only in a market with post_only_change_cancels: elsewhere the command was refused.
  if (order.flags.post_only() && crosses) return cancel(CancelReason::kPostOnly);
  const Quantity asked = order.quantity_remaining;
  if (crosses) {
    const bool was_stopped = Trade(venue, market, arrival, events);
    if (order.quantity_remaining.is_zero()) return End(venue, arrival);
    if (was_stopped) return cancel(CancelReason::kSelfTrade);
  }
  if (Rests(arrival.tif)) return Rest(venue, market, arrival);
  const bool used_up_position = asked - order.quantity_remaining == arrival.may_trade;
  cancel(used_up_position ? CancelReason::kReduceOnly : CancelReason::kImmediateOrCancel);
}

}  // namespace engine
