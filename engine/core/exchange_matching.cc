// Self-trade prevention, the settlement of trades, and what resting orders reserve.

#include "engine/core/exchange_matching.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "engine/base/check.h"
#include "engine/book/fault.h"
#include "engine/core/exchange.h"
#include "engine/core/order_events.h"
#include "engine/messages/event.h"
#include "engine/types/order_flags.h"

namespace engine {
namespace {

using Meeting = OrderBook::Meeting;

// Whether both orders are of one account other than zero.
bool IsOwn(const OrderSlot& taker, const OrderSlot& maker) {
  return (taker.account != AccountId() || ENGINE_FAULT(kSelfTradeOfAnonymous)) &&
         taker.account == maker.account;
}

Price FartherFromZero(Price a, Price b) {
  return std::abs(a.units()) > std::abs(b.units()) ? a : b;
}

}  // namespace

OrderBook::Meeting MeetingOf(const OrderSlot& taker, const OrderSlot& maker) {
  if (!IsOwn(taker, maker)) return Meeting::kTrade;
  switch (taker.flags.self_trade_prevention()) {
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

// The price at which risk limits count an order: of the prices at which it may trade now, the one
// farthest from zero. It is the order's limit or the best price of the other side; for a market
// order, the market's lowest or highest price.
Price Exchange::NotionalPrice(const Market& market, Side side, std::optional<Price> limit) const {
  if (!limit.has_value()) {
    return FartherFromZero(market.definition->price_min, market.definition->price_max);
  }
  const Slot first = market.book.First(Opposite(side));
  if (first == Slot() || ENGINE_FAULT(kNotionalAtLimit)) return *limit;
  const Price best = storage_.order(first).price;
  const bool would_trade = side == Side::kBid ? best <= *limit : best >= *limit;
  return would_trade ? FartherFromZero(*limit, best) : *limit;
}

// Whether the fill-or-kill arrival may trade: it can be filled, or its market makes it
// immediate-or-cancel at an own order.
bool Exchange::CanFillOrKill(const Market& market, const Arrival& arrival) const {
  const OrderSlot& order = storage_.order(arrival.slot);
  const Quantity asked = order.quantity_remaining;
  if (!PreventsSelfTrade(order) || ENGINE_FAULT(kFillOrKillIgnoresOwn)) {
    return market.book.CanFill(order.side, arrival.limit, asked);
  }
  bool meets_own = false;
  const auto on_meet = [&](const OrderSlot& maker) {
    const Meeting meeting = MeetingOf(order, maker);
    if (meeting != Meeting::kTrade) meets_own = true;
    return meeting;
  };
  if (market.book.CanFill(order.side, arrival.limit, asked, on_meet)) return true;
  const bool becomes_ioc =
      market.definition->fok_becomes_ioc && !ENGINE_FAULT(kFillOrKillNeverBecomesIoc);
  return meets_own && (becomes_ioc || ENGINE_FAULT(kFillOrKillFillsInPart));
}

// Emits a trade and settles it. REQUIRES: the quantities of both orders include the trade.
void Exchange::SettleTrade(Market& market, Slot maker, Slot taker, Quantity traded,
                           EventBuffer& events) {
  const OrderSlot& order = storage_.order(maker);
  Event& event = AppendAbout(events, EventKind::kTrade, order);
  event.counter_order_id = storage_.order(taker).id;
  event.quantity = traded;
  if (ENGINE_FAULT(kTradePriceWrong)) event.price = Price();
  if (order.marks.has(OrderMarks::kSummed)) SubtractFromSum(maker, traded);
  if (market.is_binary()) {
    SettleFill(market, maker, traded, order.price, FeeRole::kMaker, events);
    SettleFill(market, taker, traded, order.price, FeeRole::kTaker, events);
  }
  if (!ENGINE_FAULT(kGroupCountsTakers)) CountGroupFill(maker, traded);
  CountGroupFill(taker, traded);
  if (order.quantity_remaining.is_zero()) Forget(maker);
}

// Settles a maker with marks in a market without money. By value: if the fill's address were taken,
// every trade would write all its fields to memory, for makers without marks as well.
void Exchange::SettleMarked(OrderBook::Fill fill) {
  if (fill.maker.marks.has(OrderMarks::kSummed)) SubtractFromSum(fill.slot, fill.traded);
  if (!ENGINE_FAULT(kGroupCountsTakers)) CountGroupFill(fill.slot, fill.traded);
  if (fill.remains.is_zero()) Forget(fill.slot);
}

// Settles one party's side of a trade. Only the maker's order has money reserved; the taker's order
// reserves when it rests.
void Exchange::SettleFill(Market& market, Slot slot, Quantity traded, Price price, FeeRole role,
                          EventBuffer& events) {
  const OrderSlot& order = storage_.order(slot);
  const bool rests = role == FeeRole::kMaker;
  const Quantity closed =
      std::min(traded, ledger_.Closable(order.account, order.market, order.side));
  const FillMoney fill = market.money.Fill(order.side, traded, price, closed, role, CreditOf(slot));
  SetCredit(slot, fill.credit);
  Money more;
  if (rests) {
    const Money after = Requirement(market, slot, order.quantity_remaining);
    more = after - std::exchange(storage_.required(slot), after);
  }
  ledger_.Apply(order.account, order.market, market.money, order.side, traded, fill, more);

  Event& event =
      AppendBalance(events, order.account, fill.change, fill.fee, ledger_.StateOf(order.account));
  event.order_id = order.id;
  event.market = order.market;
  AppendPosition(events, order.account, order.market,
                 ledger_.PositionOf(order.account, order.market), traded);
}

void Exchange::CountGroupFill(Slot slot, Quantity traded) {
  const GroupId group = storage_.GroupOf(slot);
  if (group == GroupId()) return;
  groups_.AddFill({storage_.order(slot).account, group}, now_, traded);
}

// Trips the groups that reached their limits and cancels their orders.
void Exchange::TripGroups(EventBuffer& events) {
  for (const OrderGroups::Trip& trip : groups_.TakeTrips()) {
    Event& event = events.Append(EventKind::kGroupTripped);
    event.account = trip.key.first;
    event.order_id = OrderId(trip.key.second.value());
    event.quantity = trip.traded;
    for (const OrderId order : trip.orders) CancelById(order, CancelReason::kGroupLimit, events);
  }
}

Money Exchange::CreditOf(Slot order) const {
  return storage_.order(order).marks.has(OrderMarks::kExtras) ? storage_.extras(order).credit
                                                              : Money();
}

void Exchange::SetCredit(Slot order, Money credit) {
  if (storage_.order(order).marks.has(OrderMarks::kExtras)) {
    storage_.extras(order).credit = credit;
  } else if (credit != Money()) {
    storage_.SetExtras(order, {.expires_at = {}, .credit = credit, .group = {}});
  }
}

// What `resting` requires when `quantity` of it remains; pairs are not subtracted.
Money Exchange::Requirement(const Market& market, Slot resting, Quantity quantity) const {
  const OrderSlot& order = storage_.order(resting);
  return market.money.Requirement(order.side, quantity, order.price, FeeRole::kMaker,
                                  CreditOf(resting));
}

// Registers a resting order with the risk counts, its group and the expiries, and marks it.
void Exchange::Register(Market& market, Slot slot) {
  OrderSlot& order = storage_.order(slot);
  if (market.is_binary()) order.marks.Set(OrderMarks::kMoney);
  if (risk_.has_limits()) {
    risk_.CountResting(order.account, 1);
    order.marks.Set(OrderMarks::kCounted);
  }
  if (!order.marks.has(OrderMarks::kExtras)) return;
  const OrderExtras& extras = storage_.extras(slot);
  if (extras.group != GroupId()) groups_.AddOrder({order.account, extras.group}, order.id);
  if (order.tif == TimeInForce::kGoodTillTime) {
    expiries_.Add(extras.expires_at, order.id);
    NoteWhatIsOrdinary();
  }
}

// The opposite of Register, for an order with marks that leaves.
void Exchange::Undo(Slot slot) {
  const OrderSlot& order = storage_.order(slot);
  if (order.marks.has(OrderMarks::kCounted)) risk_.CountResting(order.account, -1);
  if (!order.marks.has(OrderMarks::kExtras)) return;
  const OrderExtras& extras = storage_.extras(slot);
  if (extras.group != GroupId()) groups_.RemoveOrder({order.account, extras.group}, order.id);
  if (order.tif == TimeInForce::kGoodTillTime) {
    expiries_.Remove(extras.expires_at, order.id);
    NoteWhatIsOrdinary();
  }
}

void Exchange::Reserve(const Market& market, Slot slot) {
  if (!market.is_binary()) return;
  const OrderSlot& order = storage_.order(slot);
  storage_.required(slot) = Requirement(market, slot, order.quantity_remaining);
  ledger_.Require(order.account, order.market, order.side, storage_.required(slot));
}

void Exchange::Release(Slot slot) {
  const OrderSlot& order = storage_.order(slot);
  if (!order.marks.has(OrderMarks::kMoney)) return;
  const Ledger::Party party = ledger_.FindParty(order.account, order.market);
  CHECK(party.is_known()) << "account " << order.account;
  ledger_.Release(party, order.side, storage_.required(slot));
}

// Subtracts the order from the digest's sum, as it was before it traded `traded`. REQUIRES: it is
// in the sum.
void Exchange::SubtractFromSum(Slot slot, Quantity traded) {
  RestingOrder before = storage_.ValueOf(slot);
  before.quantity_remaining += traded;
  before.quantity_filled -= traded;
  order_sum_.Subtract(storage_.order(slot), before);
}

}  // namespace engine
