// Order commands: validate, apply, emit.

#include <algorithm>
#include <vector>

#include "engine/book/fault.h"
#include "engine/core/exchange.h"
#include "engine/core/exchange_matching.h"
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

// The order that replaces `old`: it has a new id, priority, price and quantity, no fills and no
// credit.
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

// The price at which an order costs most.
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

  const RestingOrder order = MakeOrder(command);
  std::optional<Price> limit;
  if (command.type == OrderType::kLimit) limit = command.price;
  Quantity may_trade = command.quantity;
  if (command.flags.reduce_only()) {
    may_trade =
        std::min(command.quantity, ledger_.Closable(command.account, command.market, command.side));
    if (may_trade.is_zero()) return RejectReason::kReduceOnlyNoPosition;
    if (ENGINE_FAULT(kReduceOnlyUncapped)) may_trade = command.quantity;
  }
  using Rests = RiskControl::Request::Rests;
  reason = risk_.Check({.account = command.account,
                        .market = definition,
                        .quantity = command.quantity,
                        .price = NotionalPrice(*market, command.side, limit),
                        .now = command.timestamp,
                        .rests = engine::Rests(command.tif) ? Rests::kYes : Rests::kNo});
  if (reason != RejectReason::kNone) return reason;
  reason = CheckMoney(*market, order, may_trade, limit, Slot());
  if (reason != RejectReason::kNone) return reason;
  const int64_t rank = limit.has_value() ? market->RankAt(command.side, *limit) : 0;
  const int64_t worst = limit.has_value() ? LimitOf(rank) : kAnyRank;
  if (command.flags.post_only() && market->book.Crosses(command.side, worst) &&
      !ENGINE_FAULT(kPostOnlyIgnored)) {
    return RejectReason::kPostOnlyWouldCross;
  }

  risk_.Count(command.account, command.timestamp);
  const Arrival arrival{.slot = PutInSlot(order),
                        .rank = rank,
                        .limit = worst,
                        .may_trade = may_trade,
                        .tif = command.tif};
  AppendAbout(events, EventKind::kAccepted, storage_.order(arrival.slot)).quantity =
      command.quantity;
  Enter<false>(*market, arrival, events);
  return RejectReason::kNone;
}

RejectReason Exchange::Cancel(const Command& command, EventBuffer& events) {
  Addressed addressed;
  const RejectReason reason = FindAddressed(command, addressed);
  if (reason != RejectReason::kNone) return reason;
  AppendCancelled(events, storage_.order(addressed.slot), CancelReason::kRequested);
  Remove(*addressed.market, addressed.slot);
  return RejectReason::kNone;
}

RejectReason Exchange::Reduce(const Command& command, EventBuffer& events) {
  Addressed addressed;
  RejectReason reason = FindChangeable(command, addressed);
  if (reason != RejectReason::kNone) return reason;
  reason = CheckReduce(command, *addressed.market->definition);
  if (reason != RejectReason::kNone) return reason;
  ReduceBy(addressed, std::min(command.quantity, storage_.order(addressed.slot).quantity_remaining),
           events);
  return RejectReason::kNone;
}

RejectReason Exchange::ReduceTo(const Command& command, EventBuffer& events) {
  Addressed addressed;
  RejectReason reason = FindChangeable(command, addressed);
  if (reason != RejectReason::kNone) return reason;
  reason = CheckReduceTo(command, *addressed.market->definition, storage_.order(addressed.slot));
  if (reason != RejectReason::kNone) return reason;
  ReduceBy(addressed, storage_.order(addressed.slot).quantity_remaining - command.quantity, events);
  return RejectReason::kNone;
}

RejectReason Exchange::Replace(const Command& command, EventBuffer& events) {
  Addressed addressed;
  RejectReason reason = FindChangeable(command, addressed);
  if (reason != RejectReason::kNone) return reason;
  Market& market = *addressed.market;
  reason = CheckReplace(command, *market.definition);
  if (reason != RejectReason::kNone) return reason;
  const RestingOrder old = storage_.ValueOf(addressed.slot);
  reason = CheckGroup(old.account, old.group);
  if (reason != RejectReason::kNone) return reason;
  reason = risk_.Check({.account = command.account,
                        .market = *market.definition,
                        .quantity = command.quantity,
                        .price = NotionalPrice(market, old.side, command.price),
                        .now = command.timestamp,
                        .rests = RiskControl::Request::Rests::kInsteadOfAnother});
  if (reason != RejectReason::kNone) return reason;
  const RestingOrder order = MakeReplacement(command, old);
  reason = CheckMoney(market, order, command.quantity, command.price, addressed.slot);
  if (reason != RejectReason::kNone) return reason;
  const int64_t rank = market.RankAt(old.side, command.price);
  reason = CheckChangeOfPostOnly(market, addressed.slot, LimitOf(rank));
  if (reason != RejectReason::kNone) return reason;

  risk_.Count(command.account, command.timestamp);
  Remove(market, addressed.slot);
  const Arrival arrival{.slot = PutInSlot(order),
                        .rank = rank,
                        .limit = LimitOf(rank),
                        .may_trade = command.quantity,
                        .tif = old.tif};
  Event& event = AppendAbout(events, EventKind::kReplaced, storage_.order(arrival.slot));
  event.counter_order_id = command.order_id;
  event.quantity = command.quantity;
  Enter<false>(market, arrival, events);
  return RejectReason::kNone;
}

RejectReason Exchange::Amend(const Command& command, EventBuffer& events) {
  Addressed addressed;
  RejectReason reason = FindChangeable(command, addressed);
  if (reason != RejectReason::kNone) return reason;
  Market& market = *addressed.market;
  OrderSlot& resting = storage_.order(addressed.slot);
  reason = CheckAmend(command, *market.definition, resting);
  if (reason != RejectReason::kNone) return reason;
  RestingOrder order = storage_.ValueOf(addressed.slot);
  reason = CheckGroup(order.account, order.group);
  if (reason != RejectReason::kNone) return reason;
  reason = risk_.Check({.account = command.account,
                        .market = *market.definition,
                        .quantity = command.quantity,
                        .price = NotionalPrice(market, order.side, command.price),
                        .now = command.timestamp,
                        .rests = RiskControl::Request::Rests::kAlready});
  if (reason != RejectReason::kNone) return reason;
  const Quantity remains = command.quantity - order.quantity_filled;
  reason = CheckMoney(market, order, remains, command.price, addressed.slot);
  if (reason != RejectReason::kNone) return reason;
  const int64_t rank = market.RankAt(resting.side, command.price);
  reason = CheckChangeOfPostOnly(market, addressed.slot, LimitOf(rank));
  if (reason != RejectReason::kNone) return reason;

  risk_.Count(command.account, command.timestamp);
  const bool keeps = KeepsPriority(command, resting);
  Release(addressed.slot);
  if (keeps) {
    AmendInPlace(market, command, addressed.slot, events);
    Reserve(market, addressed.slot);
    return RejectReason::kNone;
  }
  Arrival arrival{
      .slot = addressed.slot, .rank = rank, .limit = LimitOf(rank), .may_trade = remains};
  AmendTo<false>(market, command, arrival, events);
  return RejectReason::kNone;
}

RejectReason Exchange::MassCancel(const Command& command, EventBuffer& events) {
  if (command.market != MarketId() && markets_.Find(command.market) == nullptr) {
    return RejectReason::kUnknownMarket;
  }
  if (command.side != Side() && !IsValid(command.side)) return RejectReason::kInvalidSide;
  std::vector<OrderId> orders;
  VisitAllSlots([&](Slot slot) {
    const OrderSlot& order = storage_.order(slot);
    if ((command.account == AccountId() || order.account == command.account) &&
        (command.market == MarketId() || order.market == command.market) &&
        (command.group == GroupId() || storage_.GroupOf(slot) == command.group ||
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

// Finds the market, if the account may trade in it and its state allows the command.
RejectReason Exchange::FindTradable(const Command& command, Market*& found) const {
  found = markets_.Find(command.market);
  if (found == nullptr) return RejectReason::kUnknownMarket;
  if (found->is_binary() && !ledger_.IsOpen(command.account)) return RejectReason::kUnknownAccount;
  return CheckOrderAgainstState(command.kind, found->state);
}

// Finds the order to be cancelled. No state of the market and no closed account prevents a cancel.
RejectReason Exchange::FindAddressed(const Command& command, Addressed& found) const {
  found.market = markets_.Find(command.market);
  return found.market == nullptr ? RejectReason::kUnknownMarket : FindOrder(command, found);
}

// Finds the order to be changed, if its account and its market's state allow the change.
RejectReason Exchange::FindChangeable(const Command& command, Addressed& found) const {
  found.market = markets_.Find(command.market);
  if (found.market == nullptr) return RejectReason::kUnknownMarket;
  if (found.market->is_binary() && !ledger_.IsOpen(command.account)) {
    return RejectReason::kUnknownAccount;
  }
  const RejectReason reason = FindOrder(command, found);
  return reason != RejectReason::kNone ? reason
                                       : CheckOrderAgainstState(command.kind, found.market->state);
}

RejectReason Exchange::FindOrder(const Command& command, Addressed& found) const {
  found.slot = index_.Find(command.order_id);
  return CheckAddressedOrder(command, found.slot == Slot() ? nullptr : &storage_.order(found.slot));
}

RejectReason Exchange::CheckGroup(AccountId account, GroupId group) const {
  return group == GroupId() ? RejectReason::kNone : groups_.CheckMember({account, group});
}

// Whether `order` may be changed so that it accepts `limit`. A change after which a post-only order
// would trade is refused, unless its market cancels such orders (Enter).
RejectReason Exchange::CheckChangeOfPostOnly(const Market& market, Slot slot, int64_t limit) const {
  const OrderSlot& order = storage_.order(slot);
  const bool would_cross = order.flags.post_only() && market.book.Crosses(order.side, limit);
  const bool cancels =
      (market.definition->post_only_change_cancels && !ENGINE_FAULT(kPostOnlyChangeNeverCancels)) ||
      ENGINE_FAULT(kPostOnlyChangeCancels) || ENGINE_FAULT(kPostOnlyChangeTrades);
  return would_cross && !cancels ? RejectReason::kPostOnlyWouldCross : RejectReason::kNone;
}

// Whether the account can pay the most that `order` may cost when it trades `may_trade`, after
// `instead_of`, if there is one, has released its money.
RejectReason Exchange::CheckMoney(const Market& market, const RestingOrder& order,
                                  Quantity may_trade, std::optional<Price> limit,
                                  Slot instead_of) const {
  if (!market.is_binary()) return RejectReason::kNone;
  const Price worst = WorstPrice(*market.definition, order.side, limit);
  Money more =
      market.money.Requirement(order.side, may_trade, worst, FeeRole::kWorst, order.credit);
  if (instead_of != Slot()) {
    more -= storage_.required(instead_of);
  }
  return ledger_.CanReserve(order.account, order.market, order.side, more)
             ? RejectReason::kNone
             : RejectReason::kInsufficientFunds;
}

// REQUIRES: `by` is at most what remains.
void Exchange::ReduceBy(const Addressed& addressed, Quantity by, EventBuffer& events) {
  Market& market = *addressed.market;
  const OrderSlot& order = storage_.order(addressed.slot);
  if (by == order.quantity_remaining) {
    AppendCancelled(events, order, CancelReason::kReduced);
    Remove(market, addressed.slot);
    return;
  }
  ChangesNow(addressed.slot);
  Release(addressed.slot);
  market.book.Reduce(addressed.slot, by);
  Reserve(market, addressed.slot);
  AppendAbout(events, EventKind::kReduced, order).quantity = by;
}

// Copies `order` to a new slot, in which it will rest if it does.
Slot Exchange::PutInSlot(const RestingOrder& order) {
  const Slot slot = storage_.NewOrder();
  OrderSlot& to = storage_.order(slot);
  to = OrderSlot();
  to.account = order.account;
  to.quantity_remaining = order.quantity_remaining;
  to.quantity_filled = order.quantity_filled;
  to.id = order.id;
  to.priority = order.priority;
  to.price = order.price;
  to.market = order.market;
  to.side = order.side;
  to.tif = order.tif;
  to.flags = order.flags;
  if (order.group != GroupId() || order.expires_at != Timestamp() || order.credit != Money()) {
    storage_.SetExtras(
        slot, {.expires_at = order.expires_at, .credit = order.credit, .group = order.group});
  }
  return slot;
}

}  // namespace engine
