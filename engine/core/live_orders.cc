#include "engine/core/live_orders.h"

#include <algorithm>
#include <vector>

#include "engine/base/check.h"
#include "engine/core/order_events.h"
#include "engine/messages/event.h"

namespace engine {
namespace {

// How many orders are filed with their accounts at a time, at most: it takes as long as a few
// commands.
constexpr uint64_t kFiledTogether = 128;

// Visits all orders of the selection, and perhaps others.
void VisitCandidates(VenueState& venue, const OrderSelection& selection,
                     absl::FunctionRef<void(Slot)> visit) {
  if (selection.group != GroupId()) {
    return venue.groups.VisitOrders(selection.account, selection.group,
                                    [&](OrderId order) { visit(venue.index.Find(order)); });
  }
  if (selection.account != AccountId()) return VisitOrdersOf(venue, selection.account, visit);
  if (selection.market == MarketId()) return VisitLiveOrders(venue, visit);
  const Market* const market = venue.markets.Find(selection.market);
  if (market == nullptr) return;
  for (const Side side : {Side::kBid, Side::kAsk}) market->book.VisitOrders(side, visit);
}

}  // namespace

void VisitLiveOrders(const VenueState& venue, absl::FunctionRef<void(Slot)> visit) {
  venue.index.VisitFrom(OrderId(), visit);
}

Slot StoreOrder(VenueState& venue, const RestingOrder& order) {
  const Slot slot = venue.storage.NewOrder();
  OrderSlot& to = venue.order(slot);
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
    venue.storage.SetExtras(
        slot, {.expires_at = order.expires_at, .credit = order.credit, .group = order.group});
  }
  return slot;
}

void Register(VenueState& venue, const Market& market, Slot slot) {
  OrderSlot& order = venue.order(slot);
  if (market.has_money()) order.marks.Set(OrderMarks::kMoney);
  if (venue.risk.restricts_any()) {
    venue.risk.CountResting(order.account, 1);
    order.marks.Set(OrderMarks::kCounted);
    if (venue.position_limits.any() &&
        venue.position_limits.Find(order.account, order.market) != nullptr) {
      order.marks.Set(OrderMarks::kPositionLimited);
    }
  }
  if (order.flags.cancel_on_pause() || order.tif == TimeInForce::kDay) {
    if (order.flags.cancel_on_pause()) venue.cancel_on_pause.emplace(order.market, order.id);
    if (order.tif == TimeInForce::kDay) venue.day_orders.emplace(order.market, order.id);
    order.marks.Set(OrderMarks::kSession);
  }
  if (!order.marks.has(OrderMarks::kExtras)) return;
  const OrderExtras& extras = venue.storage.extras(slot);
  if (extras.group != GroupId()) venue.groups.AddOrder({order.account, extras.group}, order.id);
  if (order.tif == TimeInForce::kGoodTillTime) {
    venue.expiries.Add(extras.expires_at, order.id);
    venue.UpdateFastPathTimes();
  }
}

void UndoRegister(VenueState& venue, Slot slot) {
  const OrderSlot& order = venue.order(slot);
  if (order.marks.has(OrderMarks::kCounted)) venue.risk.CountResting(order.account, -1);
  if (order.marks.has(OrderMarks::kSession)) {
    venue.cancel_on_pause.erase({order.market, order.id});
    venue.day_orders.erase({order.market, order.id});
  }
  if (!order.marks.has(OrderMarks::kExtras)) return;
  const OrderExtras& extras = venue.storage.extras(slot);
  if (extras.group != GroupId()) venue.groups.RemoveOrder({order.account, extras.group}, order.id);
  if (order.tif == TimeInForce::kGoodTillTime) {
    venue.expiries.Remove(extras.expires_at, order.id);
    venue.UpdateFastPathTimes();
  }
}

void FileOrders(VenueState& venue) {
  if (!venue.files_orders) return;
  const OrderId end = OrderIdOf(venue.last_applied);
  venue.index.VisitBetween(venue.first_unfiled, end, [&](Slot slot) {
    const OrderSlot& order = venue.order(slot);
    if (order.account != AccountId()) venue.account_orders.Add(order.account, order.id);
  });
  venue.first_unfiled = end;
}

void VisitOrdersOf(VenueState& venue, AccountId account, absl::FunctionRef<void(Slot)> visit) {
  if (!venue.index.is_used()) return;
  if (!venue.files_orders) venue.index.PauseEvery(kFiledTogether);
  venue.files_orders = true;
  FileOrders(venue);
  venue.account_orders.Visit(account, visit);
}

void SubtractFromSum(VenueState& venue, Slot slot, Quantity traded) {
  RestingOrder before = venue.storage.ValueOf(slot);
  before.quantity_remaining += traded;
  before.quantity_filled -= traded;
  venue.order_sum.Subtract(venue.order(slot), before);
}

Money CreditOf(const VenueState& venue, Slot slot) {
  return venue.order(slot).marks.has(OrderMarks::kExtras) ? venue.storage.extras(slot).credit
                                                          : Money();
}

void SetCredit(VenueState& venue, Slot slot, Money credit) {
  if (venue.order(slot).marks.has(OrderMarks::kExtras)) {
    venue.storage.extras(slot).credit = credit;
  } else if (credit != Money()) {
    venue.storage.SetExtras(slot, {.expires_at = {}, .credit = credit, .group = {}});
  }
}

void SetExpiry(VenueState& venue, Slot slot, Timestamp expires_at) {
  TakeFromSum(venue, slot);
  OrderSlot& order = venue.order(slot);
  OrderExtras extras;
  if (order.marks.has(OrderMarks::kExtras)) extras = venue.storage.extras(slot);
  if (order.tif == TimeInForce::kGoodTillTime) venue.expiries.Remove(extras.expires_at, order.id);
  const bool has_none = expires_at == Timestamp();
  order.tif = has_none ? TimeInForce::kGoodTillCancelled : TimeInForce::kGoodTillTime;
  extras.expires_at = expires_at;
  venue.storage.SetExtras(slot, extras);
  if (!has_none) venue.expiries.Add(expires_at, order.id);
  venue.UpdateFastPathTimes();
}

Money Requirement(const VenueState& venue, const Market& market, Slot resting, Quantity quantity) {
  const OrderSlot& order = venue.order(resting);
  return market.money().Requirement(order.side, quantity, order.price, FeeRole::kMaker,
                                    CreditOf(venue, resting));
}

void ReserveMoney(VenueState& venue, const Market& market, Slot slot) {
  const OrderSlot& order = venue.order(slot);
  Money& required = venue.storage.required(slot);
  required = Requirement(venue, market, slot, order.quantity_remaining);
  venue.ledger.Require(order.account, order.market, order.side, required);
}

void ReleaseMoney(VenueState& venue, Slot slot) {
  const OrderSlot& order = venue.order(slot);
  const Ledger::Party party = venue.ledger.FindParty(order.account, order.market);
  CHECK(party.is_known()) << "account " << order.account;
  venue.ledger.Release(party, order.side, venue.storage.required(slot));
}

void ReserveMarked(VenueState& venue, const Market& market, Slot slot) {
  const OrderSlot& order = venue.order(slot);
  if (market.has_money()) ReserveMoney(venue, market, slot);
  if (!order.marks.has(OrderMarks::kPositionLimited)) return;
  venue.position_limits.AddOpen(order.account, order.market, order.side, order.quantity_remaining);
}

void ReleaseMarked(VenueState& venue, Slot slot) {
  const OrderSlot& order = venue.order(slot);
  if (order.marks.has(OrderMarks::kMoney)) ReleaseMoney(venue, slot);
  if (!order.marks.has(OrderMarks::kPositionLimited)) return;
  venue.position_limits.RemoveOpen(order.account, order.market, order.side,
                                   order.quantity_remaining);
}

void CountMarkedFill(VenueState& venue, Slot slot, Quantity traded) {
  const OrderSlot& order = venue.order(slot);
  if (order.marks.has(OrderMarks::kSummed)) SubtractFromSum(venue, slot, traded);
  if (!order.marks.has(OrderMarks::kPositionLimited)) return;
  venue.position_limits.RemoveOpen(order.account, order.market, order.side, traded);
  if (order.marks.has(OrderMarks::kMoney)) return;  // The ledger has its position.
  venue.position_limits.CountTraded(order.account, order.market, order.side, traded);
}

int64_t LimitedPosition(const VenueState& venue, AccountId account, const Market& market) {
  if (market.is_binary()) return venue.ledger.PositionOf(account, market.id());
  const PositionLimits::Limited* const limited = venue.position_limits.Find(account, market.id());
  return limited == nullptr ? 0 : limited->traded;
}

void RemoveOrder(VenueState& venue, Market& market, Slot slot) {
  Release(venue, slot);
  TakeFromSum(venue, slot);
  Unregister(venue, slot);
  market.book.Remove(slot);
  venue.storage.FreeOrder(slot);
}

void CancelById(VenueState& venue, OrderId id, CancelReason reason, EventBuffer& events) {
  const Slot slot = venue.index.Find(id);
  CHECK(slot != Slot()) << "order " << id;
  const OrderSlot& order = venue.order(slot);
  AppendCancelled(events, order, reason);
  RemoveOrder(venue, *venue.markets.Find(order.market), slot);
}

uint64_t CancelSelected(VenueState& venue, const OrderSelection& selection, CancelReason reason,
                        EventBuffer& events) {
  std::vector<OrderId> orders;
  VisitCandidates(venue, selection, [&](Slot slot) {
    const OrderSlot& order = venue.order(slot);
    if ((selection.account == AccountId() || order.account == selection.account) &&
        (selection.market == MarketId() || order.market == selection.market) &&
        (selection.group == GroupId() || venue.storage.GroupOf(slot) == selection.group) &&
        (selection.side == Side() || order.side == selection.side)) {
      orders.push_back(order.id);
    }
  });
  std::sort(orders.begin(), orders.end());
  for (const OrderId order : orders) CancelById(venue, order, reason, events);
  return orders.size();
}

void CancelAmong(VenueState& venue, const OrdersByMarket& orders, MarketId market,
                 CancelReason reason, EventBuffer& events) {
  while (true) {
    const auto first = orders.lower_bound({market, OrderId()});
    if (first == orders.end() || first->first != market) return;
    CancelById(venue, first->second, reason, events);
  }
}

void ExpireOrders(VenueState& venue, EventBuffer& events) {
  while (const auto due = venue.expiries.FirstDue(venue.now)) {
    CancelById(venue, *due, CancelReason::kExpired, events);
  }
}

void CountGroupFill(VenueState& venue, Slot slot, Quantity traded) {
  const GroupId group = venue.storage.GroupOf(slot);
  if (group == GroupId()) return;
  venue.groups.AddFill({venue.order(slot).account, group}, venue.now, traded);
}

void EndTripped(VenueState& venue, const OrderGroups::Trip& trip, EventBuffer& events) {
  Event& event = events.Append(EventKind::kGroupTripped);
  event.account = trip.key.first;
  event.order_id = OrderId(trip.key.second.value());
  event.quantity = trip.traded;
  for (const OrderId order : trip.orders) {
    CancelById(venue, order, CancelReason::kGroupLimit, events);
  }
}

void TripGroups(VenueState& venue, EventBuffer& events) {
  for (const OrderGroups::Trip& trip : venue.groups.TakeTrips()) EndTripped(venue, trip, events);
}

}  // namespace engine
