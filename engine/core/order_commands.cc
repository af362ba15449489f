#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "engine/core/live_orders.h"
#include "engine/core/market_lifecycle.h"
#include "engine/core/matching.h"
#include "engine/core/order_events.h"
#include "engine/core/order_rules.h"
#include "engine/core/rules.h"
#include "engine/messages/event.h"
#include "engine/types/order_flags.h"
#include "engine/types/order_type.h"

namespace engine {
namespace {

using Request = RiskControl::Request;

// The order that a command names. It is live, in the command's market, and its account's.
struct Addressed {
  Market* market = nullptr;
  Slot slot;
};

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
  order.group = command.group();
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
  return order;
}

// The price at which an order costs most.
Price WorstPrice(const MarketDefinition& market, Side side, std::optional<Price> limit) {
  if (limit.has_value()) return *limit;
  return side == Side::kBid ? market.price_max : market.price_min;
}

Price FartherFromZero(Price a, Price b) {
  return std::abs(a.units()) > std::abs(b.units()) ? a : b;
}

// The price at which risk limits count an order: of the prices at which it may trade now, the one
// farthest from zero. It is the order's limit or the best price of the other side; for a market
// order, the market's lowest or highest price.
Price NotionalPrice(const VenueState& venue, const Market& market, Side side,
                    std::optional<Price> limit) {
  if (!limit.has_value()) {
    return FartherFromZero(market.definition().price_min, market.definition().price_max);
  }
  if (!market.book.Crosses(side, LimitOf(market.RankAt(side, *limit)))) return *limit;
  return FartherFromZero(*limit, venue.order(market.book.First(Opposite(side))).price);
}

// Finds the order to be changed, if its account and its market's state allow the change.
RejectReason FindChangeable(const VenueState& venue, const Command& command, Addressed& found) {
  RETURN_IF_REFUSED(FindMarket(venue, command, found.market));
  RETURN_IF_REFUSED(FindOrder(venue, command, found.slot));
  return CheckOrderAgainstState(command.kind, found.market->state);
}

// Whether the order may be changed so that it accepts `limit`. A change after which a post-only
// order would trade is refused, unless its market cancels such orders (Enter).
RejectReason CheckChangeOfPostOnly(const Market& market, const OrderSlot& order, int64_t limit) {
  const bool would_cross = order.flags.post_only() && WouldTrade(market, order.side, limit);
  return would_cross && !market.definition().post_only_change_cancels
             ? RejectReason::kPostOnlyWouldCross
             : RejectReason::kNone;
}

// Whether the account can pay the most that an order of `side` may cost when it trades `may_trade`,
// after an order that rests already, if there is one, has released `released`. `credit` is the
// order's.
RejectReason CheckMoney(const VenueState& venue, const Market& market, AccountId account, Side side,
                        std::optional<Price> limit, Quantity may_trade, Money credit,
                        Money released) {
  const Price worst = WorstPrice(market.definition(), side, limit);
  const Money more = market.money().Requirement(side, may_trade, worst, FeeRole::kWorst, credit);
  return venue.ledger.CanReserve(account, market.id(), side, more - released)
             ? RejectReason::kNone
             : RejectReason::kInsufficientFunds;
}

// By how much `after` is more than `before`.
Quantity Rise(Quantity before, Quantity after) {
  return after > before ? after - before : Quantity();
}

// Whether the position stays within the account's limit, if it has one, with `more` on `side`.
RejectReason CheckPosition(const VenueState& venue, AccountId account, const Market& market,
                           Side side, Quantity more) {
  if (more.is_zero()) return RejectReason::kNone;
  const PositionLimits::Limited* const limited = venue.position_limits.Find(account, market.id());
  if (limited == nullptr) return RejectReason::kNone;
  return limited->Allows(LimitedPosition(venue, account, market), side, more)
             ? RejectReason::kNone
             : RejectReason::kPositionLimit;
}

// Checks the limits of the account. `more` is what the book may then have more of on `side`.
RejectReason CheckLimits(const VenueState& venue, const Command& command, const Market& market,
                         Side side, std::optional<Price> limit, Request::Rests rests,
                         Quantity more) {
  if (!venue.risk.restricts_any()) return RejectReason::kNone;
  RETURN_IF_REFUSED(CheckRisk(venue, command, market, side, limit, rests));
  if (!venue.position_limits.any()) return RejectReason::kNone;
  return CheckPosition(venue, command.account, market, side, more);
}

// REQUIRES: `by` is at most what remains.
void ReduceBy(VenueState& venue, const Addressed& addressed, Quantity by, EventBuffer& events) {
  const auto [market, slot] = addressed;
  const OrderSlot& order = venue.order(slot);
  if (by == order.quantity_remaining) {
    AppendCancelled(events, order, CancelReason::kReduced);
    return RemoveOrder(venue, *market, slot);
  }
  TakeFromSum(venue, slot);
  Release(venue, slot);
  market->book.Reduce(slot, by);
  Reserve(venue, *market, slot);
  AppendAbout(events, EventKind::kReduced, order).quantity = by;
}

RejectReason NewOrder(VenueState& venue, const Command& command, EventBuffer& events) {
  Market* found = nullptr;
  RETURN_IF_REFUSED(FindMarket(venue, command, found));
  Market& market = *found;
  RETURN_IF_REFUSED(CheckOrderAgainstState(command.kind, market.state));
  RETURN_IF_REFUSED(CheckNewOrder(command, market.definition()));
  if (command.type == OrderType::kLimit) market.Include(command.price);
  RETURN_IF_REFUSED(venue.groups.CheckMember({command.account, command.group()}));
  const Side side = command.side;
  Quantity may_trade = command.quantity;
  if (command.flags.reduce_only()) {
    const Quantity closable = venue.ledger.Closable(command.account, command.market, side);
    if (closable.is_zero()) return RejectReason::kReduceOnlyNoPosition;
    may_trade = std::min(may_trade, closable);
  }
  std::optional<Price> limit;
  if (command.type == OrderType::kLimit) limit = command.price;
  // A reduce-only order brings the position nearer to zero.
  RETURN_IF_REFUSED(CheckLimits(venue, command, market, side, limit,
                                Rests(command.tif) ? Request::Rests::kYes : Request::Rests::kNo,
                                command.flags.reduce_only() ? Quantity() : command.quantity));
  if (market.has_money()) {
    RETURN_IF_REFUSED(
        CheckMoney(venue, market, command.account, side, limit, may_trade, Money(), Money()));
  }
  const int64_t rank = limit.has_value() ? market.RankAt(side, *limit) : 0;
  const int64_t worst = limit.has_value() ? LimitOf(rank) : kAnyRank;
  if (command.flags.post_only() && WouldTrade(market, side, worst)) {
    return RejectReason::kPostOnlyWouldCross;
  }

  venue.risk.Count(command.account, command.timestamp);
  const Slot slot = StoreOrder(venue, MakeOrder(command));
  AppendAbout(events, EventKind::kAccepted, venue.order(slot)).quantity = command.quantity;
  Enter(venue, market,
        {.slot = slot, .rank = rank, .limit = worst, .may_trade = may_trade, .tif = command.tif},
        events);
  return RejectReason::kNone;
}

// No state of the market and no closed account prevents a cancel.
RejectReason Cancel(VenueState& venue, const Command& command, EventBuffer& events) {
  Market* const market = venue.markets.Find(command.market);
  if (market == nullptr) return RejectReason::kUnknownMarket;
  Slot slot;
  RETURN_IF_REFUSED(FindOrder(venue, command, slot));
  AppendCancelled(events, venue.order(slot), CancelReason::kRequested);
  RemoveOrder(venue, *market, slot);
  return RejectReason::kNone;
}

RejectReason Reduce(VenueState& venue, const Command& command, EventBuffer& events) {
  Addressed addressed;
  RETURN_IF_REFUSED(FindChangeable(venue, command, addressed));
  RETURN_IF_REFUSED(CheckReduce(command, addressed.market->definition()));
  const Quantity remaining = venue.order(addressed.slot).quantity_remaining;
  ReduceBy(venue, addressed, std::min(command.quantity, remaining), events);
  return RejectReason::kNone;
}

RejectReason ReduceTo(VenueState& venue, const Command& command, EventBuffer& events) {
  Addressed addressed;
  RETURN_IF_REFUSED(FindChangeable(venue, command, addressed));
  const OrderSlot& order = venue.order(addressed.slot);
  RETURN_IF_REFUSED(CheckReduceTo(command, addressed.market->definition(), order));
  ReduceBy(venue, addressed, order.quantity_remaining - command.quantity, events);
  return RejectReason::kNone;
}

RejectReason Replace(VenueState& venue, const Command& command, EventBuffer& events) {
  Addressed addressed;
  RETURN_IF_REFUSED(FindChangeable(venue, command, addressed));
  const Slot replaced = addressed.slot;
  Market& market = *addressed.market;
  RETURN_IF_REFUSED(CheckLimitOrder(command, market.definition()));
  market.Include(command.price);
  const RestingOrder old = venue.storage.ValueOf(replaced);
  RETURN_IF_REFUSED(venue.groups.CheckMember({old.account, old.group}));
  RETURN_IF_REFUSED(CheckLimits(venue, command, market, old.side, command.price,
                                Request::Rests::kInsteadOfAnother,
                                Rise(old.quantity_remaining, command.quantity)));
  if (market.has_money()) {
    RETURN_IF_REFUSED(CheckMoney(venue, market, old.account, old.side, command.price,
                                 command.quantity, Money(), venue.storage.required(replaced)));
  }
  const int64_t rank = market.RankAt(old.side, command.price);
  RETURN_IF_REFUSED(CheckChangeOfPostOnly(market, venue.order(replaced), LimitOf(rank)));

  venue.risk.Count(command.account, command.timestamp);
  RemoveOrder(venue, market, replaced);
  const Slot slot = StoreOrder(venue, MakeReplacement(command, old));
  Event& event = AppendAbout(events, EventKind::kReplaced, venue.order(slot));
  event.counter_order_id = command.order_id;
  event.quantity = command.quantity;
  Enter(venue, market,
        {.slot = slot,
         .rank = rank,
         .limit = LimitOf(rank),
         .may_trade = command.quantity,
         .tif = old.tif},
        events);
  return RejectReason::kNone;
}

RejectReason Amend(VenueState& venue, const Command& command, EventBuffer& events) {
  Addressed addressed;
  RETURN_IF_REFUSED(FindChangeable(venue, command, addressed));
  const Slot slot = addressed.slot;
  Market& market = *addressed.market;
  OrderSlot& order = venue.order(slot);
  RETURN_IF_REFUSED(CheckAmend(command, market.definition(), order));
  market.Include(command.price);
  RETURN_IF_REFUSED(venue.groups.CheckMember({order.account, venue.storage.GroupOf(slot)}));
  const Quantity remains = command.quantity - order.quantity_filled;
  RETURN_IF_REFUSED(CheckLimits(venue, command, market, order.side, command.price,
                                Request::Rests::kAlready, Rise(order.quantity_remaining, remains)));
  if (market.has_money()) {
    RETURN_IF_REFUSED(CheckMoney(venue, market, order.account, order.side, command.price, remains,
                                 CreditOf(venue, slot), venue.storage.required(slot)));
  }
  const int64_t rank = market.RankAt(order.side, command.price);
  RETURN_IF_REFUSED(CheckChangeOfPostOnly(market, order, LimitOf(rank)));

  venue.risk.Count(command.account, command.timestamp);
  const bool keeps = KeepsPriority(command, order);
  Release(venue, slot);
  TakeFromSum(venue, slot);
  if (keeps) {
    market.book.Reduce(slot, order.quantity_total() - command.quantity);
    Reserve(venue, market, slot);
  } else {
    market.book.Remove(slot);
    order.priority = command.sequence;
    order.price = command.price;
    order.quantity_remaining = remains;
  }
  Event& event = AppendAbout(events, EventKind::kAmended, order);
  event.quantity = command.quantity;
  event.detail = static_cast<uint8_t>(keeps ? PriorityOutcome::kKept : PriorityOutcome::kLost);
  if (keeps) return RejectReason::kNone;
  // It may trade, and rests at the end of its queue.
  Enter(venue, market,
        {.slot = slot,
         .rank = rank,
         .limit = LimitOf(rank),
         .may_trade = remains,
         .tif = order.tif,
         .is_known = true},
        events);
  return RejectReason::kNone;
}

RejectReason ChangeExpiry(VenueState& venue, const Command& command, EventBuffer& events) {
  Addressed addressed;
  RETURN_IF_REFUSED(FindChangeable(venue, command, addressed));
  const OrderSlot& order = venue.order(addressed.slot);
  RETURN_IF_REFUSED(CheckSetExpiry(command, order));
  SetExpiry(venue, addressed.slot, command.new_expiry());
  AppendAbout(events, EventKind::kExpirySet, order).price = command.price;
  return RejectReason::kNone;
}

RejectReason MassCancel(VenueState& venue, const Command& command, EventBuffer& events) {
  if (command.market != MarketId() && venue.markets.Find(command.market) == nullptr) {
    return RejectReason::kUnknownMarket;
  }
  if (command.side != Side() && !IsValid(command.side)) return RejectReason::kInvalidSide;
  const uint64_t count = CancelSelected(venue,
                                        {.account = command.account,
                                         .market = command.market,
                                         .group = command.group(),
                                         .side = command.side},
                                        CancelReason::kMassCancel, events);
  Event& event = events.Append(EventKind::kMassCancelled);
  event.account = command.account;
  event.market = command.market;
  event.side = command.side;
  event.quantity = Quantity::FromUnits(count);
  return RejectReason::kNone;
}

}  // namespace

RejectReason FindMarket(const VenueState& venue, const Command& command, Market*& found) {
  found = venue.markets.Find(command.market);
  if (found == nullptr) return RejectReason::kUnknownMarket;
  if (found->is_mirrored() && command.account != AccountId()) {
    return RejectReason::kMarketIsMirrored;
  }
  if (found->has_money() && !venue.ledger.IsOpen(command.account)) {
    return RejectReason::kUnknownAccount;
  }
  const bool is_refused =
      venue.risk.IsSuspended(command.account) && InfoOf(command.kind).may_enlarge;
  return is_refused ? RejectReason::kAccountSuspended : RejectReason::kNone;
}

RejectReason FindOrder(const VenueState& venue, const Command& command, Slot& found) {
  found = venue.index.Find(command.order_id);
  return CheckAddressedOrder(command, found == Slot() ? nullptr : &venue.order(found));
}

RejectReason ApplyOrderCommand(VenueState& venue, const Command& command, EventBuffer& events) {
  switch (command.kind) {
    case CommandKind::kNewOrder:
      return NewOrder(venue, command, events);
    case CommandKind::kCancel:
      return Cancel(venue, command, events);
    case CommandKind::kReduce:
      return Reduce(venue, command, events);
    case CommandKind::kReplace:
      return Replace(venue, command, events);
    case CommandKind::kAmend:
      return Amend(venue, command, events);
    case CommandKind::kReduceTo:
      return ReduceTo(venue, command, events);
    case CommandKind::kMassCancel:
      return MassCancel(venue, command, events);
    case CommandKind::kSetExpiry:
      return ChangeExpiry(venue, command, events);
    case CommandKind::kExecute:
      return Execute(venue, command, events);
    default:
      return RejectReason::kUnknownCommand;
  }
}

RejectReason CheckRisk(const VenueState& venue, const Command& command, const Market& market,
                       Side side, std::optional<Price> limit, Request::Rests rests) {
  return venue.risk.Check({.account = command.account,
                           .market = market.definition(),
                           .quantity = command.quantity,
                           .price = NotionalPrice(venue, market, side, limit),
                           .now = command.timestamp,
                           .rests = rests});
}

}  // namespace engine
