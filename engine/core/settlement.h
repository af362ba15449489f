// What a trade does besides the book: its event, the money and positions of both accounts, the
// maker's group, and the end of a filled maker. One function for every trade, of all orders.
//
//   trade · maker's balance, position · taker's balance, position      one maker at a time

#ifndef ENGINE_CORE_SETTLEMENT_H_
#define ENGINE_CORE_SETTLEMENT_H_

#include <algorithm>
#include <cstdint>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/inline.h"
#include "engine/base/sequence_number.h"
#include "engine/book/order_book.h"
#include "engine/core/ledger.h"
#include "engine/core/live_orders.h"
#include "engine/core/market.h"
#include "engine/core/order_events.h"
#include "engine/core/venue_state.h"
#include "engine/messages/event_buffer.h"
#include "engine/types/ids.h"
#include "engine/types/money.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"

namespace engine {

// The order that takes, in values: an order that trades on arrival has no slot until it rests.
struct Taker {
  SequenceNumber sequence;  // Of the command.
  OrderId id;
  Side side = {};
};

// The money of a taker: its account in the market, found once, and what rounding owes the order.
struct TakerMoney {
  Ledger::Party party;
  uint64_t owner = 0;
  Money credit;
};

// Emits what a fill has done to its account.
ENGINE_ALWAYS_INLINE void AppendFill(EventBuffer& events, SequenceNumber sequence, OrderId order,
                                     uint64_t owner, Quantity traded, const FillMoney& fill,
                                     const Ledger::Party& party) {
  AppendBalance(events, {.sequence = sequence, .order = order, .owner = owner}, fill.change,
                fill.fee, party.state());
  AppendPosition(events, sequence, owner, party.position(), traded);
}

// Settles the maker's side of a trade, and reserves what the rest of the order requires. A filled
// maker reserves nothing, and its credit ends with it. REQUIRES: its quantities include the trade.
ENGINE_ALWAYS_INLINE void SettleMaker(VenueState& venue, const Market& market, Slot slot,
                                      Quantity traded, SequenceNumber sequence,
                                      EventBuffer& events) {
  const OrderSlot& maker = venue.order(slot);
  const ContractMoney& money = market.money();
  const Ledger::Party party = venue.ledger.FindParty(maker.account, maker.market);
  CHECK(party.is_known());
  const Money credit = CreditOf(venue, slot);
  const Quantity closed = std::min(traded, party.Closable(maker.side));
  const FillMoney fill =
      money.Fill(maker.side, traded, maker.price, closed, FeeRole::kMaker, credit);
  Money after;
  if (!maker.quantity_remaining.is_zero()) {
    SetCredit(venue, slot, fill.credit);
    after = money.Requirement(maker.side, maker.quantity_remaining, maker.price, FeeRole::kMaker,
                              fill.credit);
  }
  const Money more = after - std::exchange(venue.storage.required(slot), after);
  venue.ledger.Apply(party, money, maker.side, traded, fill, more);
  AppendFill(events, sequence, maker.id, OwnerOf(maker), traded, fill, party);
}

// Settles the taker's side. It reserves only when it rests.
ENGINE_ALWAYS_INLINE void SettleTaker(VenueState& venue, const Market& market, const Taker& taker,
                                      TakerMoney& account, Quantity traded, Price price,
                                      EventBuffer& events) {
  const Quantity closed = std::min(traded, account.party.Closable(taker.side));
  const FillMoney fill =
      market.money().Fill(taker.side, traded, price, closed, FeeRole::kTaker, account.credit);
  account.credit = fill.credit;
  venue.ledger.Apply(account.party, market.money(), taker.side, traded, fill, Money());
  AppendFill(events, taker.sequence, taker.id, account.owner, traded, fill, account.party);
}

// Counts the fill for the maker's group, and ends a filled maker.
ENGINE_ALWAYS_INLINE void FinishMaker(VenueState& venue, const OrderBook::Fill& fill) {
  // Most makers with extras have a credit and no group.
  if (venue.storage.GroupOf(fill.slot) != GroupId()) [[unlikely]] {
    CountGroupFill(venue, fill.slot, fill.traded);
  }
  if (fill.remains.is_zero()) Unregister(venue, fill.slot);
}

// Settles a maker with marks in a market without money. By value: if the fill's address were taken,
// every trade would write all its fields to memory, for makers without marks as well.
void SettleMarked(VenueState& venue, OrderBook::Fill fill);

// Settles a trade in a market without money.
ENGINE_ALWAYS_INLINE void SettleTrade(VenueState& venue, const Taker& taker,
                                      const OrderBook::Fill& fill, EventBuffer& events) {
  AppendTrade(events, fill, taker.id, taker.sequence);
  if (fill.maker.marks.any()) [[unlikely]]
    return SettleMarked(venue, fill);
  if (fill.remains.is_zero()) venue.index.Erase(fill.maker.id);
}

// Settles a trade in a market with money.
ENGINE_ALWAYS_INLINE void SettleTrade(VenueState& venue, const Taker& taker,
                                      const OrderBook::Fill& of_maker, const Market& market,
                                      TakerMoney& account, EventBuffer& events) {
  const auto& [slot, maker, traded, remains] = of_maker;
  AppendTrade(events, of_maker, taker.id, taker.sequence);
  if (maker.marks.has(kFillMarks)) [[unlikely]]
    CountMarkedFill(venue, slot, traded);
  SettleMaker(venue, market, slot, traded, taker.sequence, events);
  SettleTaker(venue, market, taker, account, traded, maker.price, events);
  FinishMaker(venue, of_maker);
}

}  // namespace engine

#endif  // ENGINE_CORE_SETTLEMENT_H_
