// Ordinary orders in an open market with money: one check of their account, and the settlement of
// their trades. Orders that only join or leave a queue are in exchange_fast_path_money.cc. If the
// account could not pay the most that any order of the size may cost, the slow path validates.
//
//   find the taker in the ledger, once
//   for each maker:  trade · maker's balance, position · taker's balance, position
//
// A taker trades from registers, as in TradeOrdinary: it has a slot only once it rests.

#include <algorithm>
#include <cstdint>
#include <utility>

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
namespace {

// Whether the terms and the price of `command` are those of an ordinary order. On true, `limit` is
// its limit.
bool FindLimit(const Command& command, const Market& market, int64_t& limit) {
  if (HasTerms(command, OrderType::kLimit, TimeInForce::kGoodTillCancelled) ||
      HasTerms(command, OrderType::kLimit, TimeInForce::kImmediateOrCancel)) {
    const uint64_t price = market.prices.IndexOf(command.price.units());
    limit = LimitOf(RankOf(command.side, price));
    return price < market.open_prices;
  }
  limit = kAnyRank;
  return HasTerms(command, OrderType::kMarket, TimeInForce::kImmediateOrCancel) &&
         command.price == Price();
}

// Emits what a fill has done to its account, as AppendBalance and AppendPosition do.
ENGINE_ALWAYS_INLINE void WriteFill(EventBuffer& events, SequenceNumber sequence, OrderId order,
                                    uint64_t owner, Quantity traded, const FillMoney& fill,
                                    const Ledger::Party& party) {
  const auto index = static_cast<uint32_t>(events.size());
  const AccountState state = party.state();
  Write(events.AppendUnset(), EventKind::kBalance,
        {.sequence = sequence,
         .order = order,
         .counter_order = OrderId(static_cast<uint64_t>(state.balance.micros())),
         .price = Price::FromUnits(fill.change.micros()),
         .owner = owner,
         .side = Side()},
        Quantity::FromUnits(static_cast<uint64_t>(fill.fee.micros())),
        Quantity::FromUnits(static_cast<uint64_t>(state.reserved.micros())), 0, index);
  Write(events.AppendUnset(), EventKind::kPosition,
        {.sequence = sequence,
         .order = OrderId(),
         .counter_order = OrderId(),
         .price = Price::FromUnits(party.position()),
         .owner = owner,
         .side = Side()},
        traded, Quantity(), 0, index + 1);
}

}  // namespace

// A new order for a market that is not ordinary or does not exist. Applies ordinary orders in an
// open market with money.
ENGINE_OUT_OF_LINE void Exchange::OrdinaryWithMoney(const Command& command, Market* market,
                                                    EventBuffer& events) {
  int64_t limit = kAnyRank;
  if (market == nullptr || market->open_prices == 0 || !FindLimit(command, *market, limit) ||
      !market->Allows(command.quantity)) {
    return ApplyAny(command, events);
  }
  // An account that can pay for any order of this size needs no exact check. This comes before the
  // limits, which count what they grant.
  const Ledger::Party party = ledger_.FindParty(command.account, command.market);
  if (!party.is_known() || !party.Covers(market->money.RequirementBound(command.quantity))) {
    return ApplyAny(command, events);
  }
  using Rests = RiskControl::Request::Rests;
  const bool may_rest = engine::Rests(command.tif);
  if (!PassesLimits(command, command.side, *market, may_rest ? Rests::kYes : Rests::kNo)) {
    return ApplyAny(command, events);
  }
  TakeWithMoney(command, *market, limit, party, events);
}

// Applies an order that has been validated and whose account can pay for any fills.
void Exchange::TakeWithMoney(const Command& command, Market& market, int64_t limit,
                             Ledger::Party taker, EventBuffer& events) {
  events.Begin(command.sequence);
  Write(events.AppendUnset(), EventKind::kAccepted, SubjectOf(command), command.quantity,
        command.quantity);
  Money credit;
  const Quantity left = TradeWithMoney(market, command, limit, taker, credit, events);
  if (!left.is_zero()) {
    if (Rests(command.tif)) {
      WaitWithMoney(command, market, LimitOf(limit), left, credit, taker);
    } else {
      const auto index = static_cast<uint32_t>(events.size());
      Write(events.AppendUnset(), EventKind::kCancelled, SubjectOf(command), left, Quantity(),
            static_cast<uint8_t>(CancelReason::kImmediateOrCancel), index);
    }
  }
  if (groups_.has_fills()) TripGroups(events);
}

// Trades, and returns the quantity that did not. `credit` is what rounding owes the taker.
ENGINE_ALWAYS_INLINE Quantity Exchange::TradeWithMoney(Market& market, const Command& command,
                                                       int64_t limit, Ledger::Party taker,
                                                       Money& credit, EventBuffer& events) {
  const SequenceNumber sequence = command.sequence;
  const OrderId taker_id = OrderIdOf(sequence);
  const Side side = command.side;
  const uint64_t taker_owner = OwnerOf(command);
  const ContractMoney& money = market.money;
  const auto always = [](Slot) { return OrderBook::Meeting::kTrade; };
  const auto on_trade = [&](const OrderBook::Fill& of_maker) {
    const auto& [slot, maker, traded, remains] = of_maker;
    const auto index = static_cast<uint32_t>(events.size());
    WriteTrade(events.AppendUnset(), of_maker, taker_id, sequence, index);
    if (maker.marks.has(OrderMarks::kSummed)) [[unlikely]]
      SubtractFromSum(slot, traded);
    SettleMaker(market, slot, traded, events);

    const Quantity closed = std::min(traded, taker.Closable(side));
    const FillMoney fill = money.Fill(side, traded, maker.price, closed, FeeRole::kTaker, credit);
    credit = fill.credit;
    ledger_.Apply(taker, money, side, traded, fill, Money());
    WriteFill(events, sequence, taker_id, taker_owner, traded, fill, taker);

    // Most makers with extras have a credit and no group.
    if (storage_.GroupOf(slot) != GroupId()) [[unlikely]] {
      if (!ENGINE_FAULT(kGroupCountsTakers)) CountGroupFill(slot, traded);
    }
    if (remains.is_zero()) Forget(slot);
  };
  return market.book.Match(side, limit, command.quantity, always, on_trade);
}

// Settles the maker's side of a trade, as SettleFill does. A filled maker reserves nothing any
// more, and its credit ends with it.
ENGINE_ALWAYS_INLINE void Exchange::SettleMaker(const Market& market, Slot slot, Quantity traded,
                                                EventBuffer& events) {
  const OrderSlot& maker = storage_.order(slot);
  const ContractMoney& money = market.money;
  const Ledger::Party party = ledger_.FindParty(maker.account, maker.market);
  CHECK(party.is_known());
  const Money credit = CreditOf(slot);
  const Quantity closed = std::min(traded, party.Closable(maker.side));
  const FillMoney fill =
      money.Fill(maker.side, traded, maker.price, closed, FeeRole::kMaker, credit);
  Money after;
  if (!maker.quantity_remaining.is_zero()) {
    SetCredit(slot, fill.credit);
    after = money.Requirement(maker.side, maker.quantity_remaining, maker.price, FeeRole::kMaker,
                              fill.credit);
  }
  const Money more = after - std::exchange(storage_.required(slot), after);
  ledger_.Apply(party, money, maker.side, traded, fill, more);
  WriteFill(events, last_applied_, maker.id, OwnerOf(maker), traded, fill, party);
}

// `remaining` of the command's order rests at its price.
void Exchange::WaitWithMoney(const Command& command, Market& market, int64_t rank,
                             Quantity remaining, Money credit, Ledger::Party party) {
  const Slot slot = storage_.NewOrder();
  Fill(storage_.order(slot), SubjectOf(command), remaining, command.quantity - remaining,
       command.tif, OrderMarks::kMoney);
  SetCredit(slot, credit);
  index_.Insert(OrderIdOf(command.sequence), slot);
  market.book.Add(slot, command.side, rank);
  if (risk_.has_limits()) Register(market, slot);
  storage_.required(slot) =
      market.money.Requirement(command.side, remaining, command.price, FeeRole::kMaker, credit);
  ledger_.Require(party, command.side, storage_.required(slot));
}

}  // namespace engine
