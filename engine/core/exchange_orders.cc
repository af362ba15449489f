// The commands that concern orders: may it be, and if so, what is said and begun.

#include <algorithm>

#include "engine/core/exchange.h"
#include "engine/core/fault.h"
#include "engine/core/market_lifecycle.h"
#include "engine/core/order_events.h"
#include "engine/core/order_rules.h"
#include "engine/messages/event.h"
#include "engine/types/order_flags.h"
#include "engine/types/order_type.h"

namespace engine {
namespace {

RestingOrder MakeOrder(const Command& command) {
  RestingOrder order;
  order.id = OrderIdOf(command.sequence);
  order.priority = command.sequence;
  order.price = command.price;
  order.quantity_remaining = command.quantity;
  order.account = command.account;
  order.market = command.market;
  order.side = command.side;
  order.tif = command.tif;
  order.flags = command.flags;
  order.group = command.group;
  if (command.tif == TimeInForce::kGoodTillTime) order.expires_at = command.expires_at();
  return order;
}

// The order that takes the place of `old`: like it, but new.
RestingOrder MakeReplacement(const Command& command, const RestingOrder& old) {
  RestingOrder order = old;
  order.id = OrderIdOf(command.sequence);
  order.priority = command.sequence;
  order.price = command.price;
  order.quantity_remaining = command.quantity;
  order.quantity_filled = Quantity();
  order.credit = Money();
  if (ENGINE_FAULT(kReplaceForgetsFlags)) order.flags = OrderFlags();
  return order;
}

// The price that decides what an order may cost at most.
Price WorstPrice(const MarketDefinition& market, Side side, std::optional<Price> limit) {
  if (limit.has_value()) return *limit;
  return side == Side::kBid ? market.price_max : market.price_min;
}

}  // namespace

RejectReason Exchange::NewOrder(const Command& command, EventBuffer& events) {
  Market* market = nullptr;
  RejectReason reason = FindTradable(command, market);
  if (reason != RejectReason::kNone) return reason;
  const MarketDefinition& definition = *market->definition;
  reason = CheckNewOrder(command, definition);
  if (reason != RejectReason::kNone) return reason;
  reason = CheckGroup(command.account, command.group);
  if (reason != RejectReason::kNone) return reason;

  Arrival arrival{.order = MakeOrder(command), .may_trade = command.quantity, .tif = command.tif};
  if (command.type == OrderType::kLimit) arrival.limit = command.price;
  if (command.flags.reduce_only()) {
    arrival.may_trade =
        std::min(command.quantity, ledger_.Closable(command.account, command.market, command.side));
    if (arrival.may_trade.is_zero()) return RejectReason::kReduceOnlyNoPosition;
    if (ENGINE_FAULT(kReduceOnlyUncapped)) arrival.may_trade = command.quantity;
  }
  using Rests = RiskControl::Wish::Rests;
  const bool is_market_order = command.type == OrderType::kMarket;
  reason = risk_.Check({.account = command.account,
                        .market = definition,
                        .quantity = command.quantity,
                        .price = is_market_order ? definition.price_max : command.price,
                        .now = command.timestamp,
                        .rests = engine::Rests(command.tif) ? Rests::kYes : Rests::kNo});
  if (reason != RejectReason::kNone) return reason;
  reason = CheckMoney(*market, arrival, nullptr);
  if (reason != RejectReason::kNone) return reason;
  if (command.flags.post_only() && market->book.Crosses(command.side, command.price) &&
      !ENGINE_FAULT(kPostOnlyIgnored)) {
    return RejectReason::kPostOnlyWouldCross;
  }

  risk_.Count(command.account, command.timestamp);
  AppendAbout(events, EventKind::kAccepted, arrival.order).quantity = command.quantity;
  Enter(*market, arrival, events);
  return RejectReason::kNone;
}

RejectReason Exchange::Cancel(const Command& command, EventBuffer& events) {
  Addressed addressed;
  const RejectReason reason = FindAddressed(command, addressed);
  if (reason != RejectReason::kNone) return reason;
  AppendCancelled(events, addressed.order(), CancelReason::kRequested);
  Remove(*addressed.market, addressed.handle);
  return RejectReason::kNone;
}

RejectReason Exchange::Reduce(const Command& command, EventBuffer& events) {
  Addressed addressed;
  RejectReason reason = FindChangeable(command, addressed);
  if (reason != RejectReason::kNone) return reason;
  reason = CheckReduce(command, *addressed.market->definition);
  if (reason != RejectReason::kNone) return reason;
  ReduceBy(addressed, std::min(command.quantity, addressed.order().quantity_remaining), events);
  return RejectReason::kNone;
}

RejectReason Exchange::ReduceTo(const Command& command, EventBuffer& events) {
  Addressed addressed;
  RejectReason reason = FindChangeable(command, addressed);
  if (reason != RejectReason::kNone) return reason;
  reason = CheckReduceTo(command, *addressed.market->definition, addressed.order());
  if (reason != RejectReason::kNone) return reason;
  ReduceBy(addressed, addressed.order().quantity_remaining - command.quantity, events);
  return RejectReason::kNone;
}

RejectReason Exchange::Replace(const Command& command, EventBuffer& events) {
  Addressed addressed;
  RejectReason reason = FindChangeable(command, addressed);
  if (reason != RejectReason::kNone) return reason;
  Market& market = *addressed.market;
  const RestingOrder& old = addressed.order();
  reason = CheckReplace(command, *market.definition);
  if (reason != RejectReason::kNone) return reason;
  reason = CheckGroup(old.account, old.group);
  if (reason != RejectReason::kNone) return reason;
  reason = risk_.Check({.account = command.account,
                        .market = *market.definition,
                        .quantity = command.quantity,
                        .price = command.price,
                        .now = command.timestamp,
                        .rests = RiskControl::Wish::Rests::kInsteadOfAnother});
  if (reason != RejectReason::kNone) return reason;
  Arrival arrival{.order = MakeReplacement(command, old),
                  .limit = command.price,
                  .may_trade = command.quantity,
                  .tif = old.tif};
  reason = CheckMoney(market, arrival, &old);
  if (reason != RejectReason::kNone) return reason;
  if (old.flags.post_only() && market.book.Crosses(old.side, command.price)) {
    return RejectReason::kPostOnlyWouldCross;
  }

  risk_.Count(command.account, command.timestamp);
  Remove(market, addressed.handle);
  Event& event = AppendAbout(events, EventKind::kReplaced, arrival.order);
  event.counter_order_id = command.order_id;
  event.quantity = command.quantity;
  Enter(market, arrival, events);
  return RejectReason::kNone;
}

RejectReason Exchange::Amend(const Command& command, EventBuffer& events) {
  Addressed addressed;
  RejectReason reason = FindChangeable(command, addressed);
  if (reason != RejectReason::kNone) return reason;
  Market& market = *addressed.market;
  const RestingOrder& resting = addressed.order();
  reason = CheckAmend(command, *market.definition, resting);
  if (reason != RejectReason::kNone) return reason;
  reason = CheckGroup(resting.account, resting.group);
  if (reason != RejectReason::kNone) return reason;
  reason = risk_.Check({.account = command.account,
                        .market = *market.definition,
                        .quantity = command.quantity,
                        .price = command.price,
                        .now = command.timestamp,
                        .rests = RiskControl::Wish::Rests::kAlready});
  if (reason != RejectReason::kNone) return reason;
  Arrival arrival{.order = resting,
                  .limit = command.price,
                  .may_trade = command.quantity - resting.quantity_filled,
                  .tif = resting.tif};
  arrival.order.priority = command.sequence;
  arrival.order.price = command.price;
  arrival.order.quantity_remaining = arrival.may_trade;
  reason = CheckMoney(market, arrival, &resting);
  if (reason != RejectReason::kNone) return reason;

  risk_.Count(command.account, command.timestamp);
  const auto append_amended = [&](const RestingOrder& order, PriorityOutcome outcome) {
    Event& event = AppendAbout(events, EventKind::kAmended, order);
    event.quantity = command.quantity;
    event.detail = static_cast<uint8_t>(outcome);
  };
  const bool keeps =
      command.quantity < resting.quantity_total() ||
      (ENGINE_FAULT(kEqualAmendKeepsPriority) && command.quantity == resting.quantity_total());
  if (command.price == resting.price && keeps) {
    Release(market, resting);
    market.book.Reduce(addressed.handle, resting.quantity_total() - command.quantity);
    Reserve(market, resting);
    append_amended(resting, PriorityOutcome::kKept);
    return RejectReason::kNone;
  }
  Remove(market, addressed.handle);
  append_amended(arrival.order, PriorityOutcome::kLost);
  if (arrival.order.flags.post_only() && !ENGINE_FAULT(kPostOnlyAmendTrades) &&
      market.book.Crosses(arrival.order.side, arrival.order.price)) {
    AppendCancelled(events, arrival.order, CancelReason::kPostOnly);
    return RejectReason::kNone;
  }
  Enter(market, arrival, events);
  return RejectReason::kNone;
}

RejectReason Exchange::MassCancel(const Command& command, EventBuffer& events) {
  if (command.market != MarketId() && FindMarket(command.market) == nullptr) {
    return RejectReason::kUnknownMarket;
  }
  if (command.side != Side() && !IsValid(command.side)) return RejectReason::kInvalidSide;
  std::vector<OrderId> orders;
  VisitAllOrders([&](const RestingOrder& order) {
    if ((command.account == AccountId() || order.account == command.account) &&
        (command.market == MarketId() || order.market == command.market) &&
        (command.group == GroupId() || order.group == command.group ||
         ENGINE_FAULT(kMassCancelIgnoresGroup)) &&
        (command.side == Side() || order.side == command.side ||
         ENGINE_FAULT(kMassCancelIgnoresSide))) {
      orders.push_back(order.id);
    }
  });
  std::sort(orders.begin(), orders.end());
  for (const OrderId order : orders) CancelById(order, CancelReason::kMassCancel, events);
  Event& event = events.Append(EventKind::kMassCancelled);
  event.account = command.account;
  event.market = command.market;
  event.side = command.side;
  event.quantity = Quantity::FromUnits(orders.size());
  return RejectReason::kNone;
}

// Whether there is such a market, whether the account may be in it, and whether orders may be
// entered or changed so.
RejectReason Exchange::FindTradable(const Command& command, Market*& found) const {
  found = FindMarket(command.market);
  if (found == nullptr) return RejectReason::kUnknownMarket;
  if (found->is_binary() && !ledger_.IsOpen(command.account)) return RejectReason::kUnknownAccount;
  return CheckOrderAgainstState(command.kind, found->state);
}

// The order that is to be cancelled: that is possible always.
RejectReason Exchange::FindAddressed(const Command& command, Addressed& found) const {
  found.market = FindMarket(command.market);
  return found.market == nullptr ? RejectReason::kUnknownMarket : FindOrder(command, found);
}

// The order that is to be changed, if its account and its market's state allow.
RejectReason Exchange::FindChangeable(const Command& command, Addressed& found) const {
  found.market = FindMarket(command.market);
  if (found.market == nullptr) return RejectReason::kUnknownMarket;
  if (found.market->is_binary() && !ledger_.IsOpen(command.account)) {
    return RejectReason::kUnknownAccount;
  }
  const RejectReason reason = FindOrder(command, found);
  return reason != RejectReason::kNone ? reason
                                       : CheckOrderAgainstState(command.kind, found.market->state);
}

RejectReason Exchange::FindOrder(const Command& command, Addressed& found) const {
  const auto live = live_orders_.find(command.order_id);
  if (live == live_orders_.end()) return CheckAddressedOrder(command, nullptr);
  found.handle = live->second;
  return CheckAddressedOrder(command, &found.order());
}

RejectReason Exchange::CheckGroup(AccountId account, GroupId group) const {
  return group == GroupId() ? RejectReason::kNone : groups_.CheckMember({account, group});
}

// Whether the account can pay for the worst that may come of it.
RejectReason Exchange::CheckMoney(const Market& market, const Arrival& arrival,
                                  const RestingOrder* instead_of) const {
  if (!market.is_binary()) return RejectReason::kNone;
  const RestingOrder& order = arrival.order;
  const Price worst = WorstPrice(*market.definition, order.side, arrival.limit);
  Money more = market.money.Requirement(order.side, arrival.may_trade, worst, market.fees,
                                        FeeRole::kWorst, order.credit);
  if (instead_of != nullptr) more -= Requirement(market, *instead_of);
  const Money reserved =
      ledger_.ReservedWith(order.account, order.market, market.money, order.side, more);
  return ledger_.StateOf(order.account).balance < reserved ? RejectReason::kInsufficientFunds
                                                           : RejectReason::kNone;
}

// REQUIRES: `by` is at most what remains.
void Exchange::ReduceBy(const Addressed& addressed, Quantity by, EventBuffer& events) {
  Market& market = *addressed.market;
  const RestingOrder& order = addressed.order();
  if (by == order.quantity_remaining) {
    AppendCancelled(events, order, CancelReason::kReduced);
    Remove(market, addressed.handle);
    return;
  }
  Release(market, order);
  market.book.Reduce(addressed.handle, by);
  Reserve(market, order);
  AppendAbout(events, EventKind::kReduced, order).quantity = by;
}

}  // namespace engine
