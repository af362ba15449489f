// The fast path in markets with money: orders that join a queue and reserve, leave one and release,
// or change. Orders that trade, or whose account cannot plainly pay, are in exchange_money.cc.
//
//   compute what is required ─► find the account, check that it can pay ─► join the level
//
// Two steps, so that neither needs a register for the other: the first passes on what is required,
// and `events`, which only the second writes, is the last parameter.

#include <atomic>
#include <cstdint>

#include "engine/base/inline.h"
#include "engine/core/exchange.h"
#include "engine/core/exchange_fast_path.h"
#include "engine/core/ordinary_words.h"

namespace engine {

// The order joins its level, if nothing else is to be done and its account can pay.
ENGINE_OUT_OF_LINE void Exchange::RestWithMoney(const Command& command, EventBuffer& events,
                                                uint64_t price, Market& market) {
  if (price >= market.open_prices || !market.Allows(command.quantity)) {
    return OrdinaryNewOrder(command, events);
  }
  const int64_t rank = RankOf(command.side, price);
  const Slot level = market.book.LevelAt(command.side, rank);
  if (level == Slot()) return RestOnNewLevelIfPaid(command, events, rank, market);
  const RestingRequirement& resting = market.money.resting();
  if (!IsReadyFor(command, events) || !resting.Takes(command.quantity)) {
    return OrdinaryNewOrder(command, events);
  }
  PayAndRest(command, resting.Of(command.side, command.quantity, command.price), level, market,
             events);
}

// Reserves what the order that `command` enters requires, if its account can plainly pay, that is
// for any order of this size. REQUIRES: IsReadyFor(command, events).
ENGINE_ALWAYS_INLINE bool Exchange::ReserveFast(const Command& command, Money required,
                                                Ledger::Party party, const Market& market) {
  if (!party.is_known() || !party.Covers(market.money.RequirementBound(command.quantity)))
      [[unlikely]] {
    return false;
  }
  storage_.required(storage_.next_free_order()) = required;
  std::atomic_signal_fence(std::memory_order_seq_cst);  // As in LeaveOthers.
  ledger_.Require(party, command.side, required);
  return true;
}

ENGINE_OUT_OF_LINE void Exchange::PayAndRest(const Command& command, Money required, Slot level,
                                             const Market& market, EventBuffer& events) {
  const Ledger::Party party = ledger_.FindPartyFast(command.account, command.market);
  if (!party.is_known()) return PayAndRestElsewhere(command, required, level, market, events);
  if (!ReserveFast(command, required, party, market)) return OrdinaryNewOrder(command, events);
  std::atomic_signal_fence(std::memory_order_seq_cst);  // As in LeaveOthers.
  PlaceOnLevel<OrderMarks::kMoney>(command, events, level);
}

// The same if FindPartyFast does not find the account.
ENGINE_OUT_OF_LINE void Exchange::PayAndRestElsewhere(const Command& command, Money required,
                                                      Slot level, const Market& market,
                                                      EventBuffer& events) {
  const Ledger::Party party = ledger_.FindParty(command.account, command.market);
  if (!ReserveFast(command, required, party, market)) return OrdinaryNewOrder(command, events);
  PlaceOnLevel<OrderMarks::kMoney>(command, events, level);
}

// As RestOnNewLevel, in a market with money.
ENGINE_OUT_OF_LINE void Exchange::RestOnNewLevelIfPaid(const Command& command, EventBuffer& events,
                                                       int64_t rank, Market& market) {
  const RestingRequirement& resting = market.money.resting();
  if (market.book.Crosses(command.side, LimitOf(rank)) || !IsReadyFor(command, events) ||
      !resting.Takes(command.quantity)) {
    return OrdinaryNewOrder(command, events);
  }
  const Money required = resting.Of(command.side, command.quantity, command.price);
  const Ledger::Party party = ledger_.FindParty(command.account, command.market);
  if (!ReserveFast(command, required, party, market)) return OrdinaryNewOrder(command, events);
  PlaceOnLevel<OrderMarks::kMoney>(command, events, market.book.LevelFor(command.side, rank));
}

// Cancels an order that has money reserved and no other marks.
ENGINE_OUT_OF_LINE void Exchange::LeaveWithMoney(const Command& command, EventBuffer& events,
                                                 OrderSlot& order, Slot& place) {
  if (!order.marks.has_only(OrderMarks::kMoney)) {
    return LeaveCounted(command, events, order, place);
  }
  if (!events.has_room() || OrderBook::IsAlone(order)) {
    return LeaveLevelWithMoney(command, events, order, place);
  }
  const Ledger::Party party = ledger_.FindPartyFast(order.account, order.market);
  if (!party.is_known()) return OrdinaryCancel(command, events);
  if (!ledger_.ReleaseFast(party, order.side, storage_.required(place))) {
    return OrdinaryCancel(command, events);
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);  // As in LeaveOthers.
  LeaveOthers(events, order, place);
}

// The same for an order that is alone on its level, or without room for the event.
ENGINE_OUT_OF_LINE void Exchange::LeaveLevelWithMoney(const Command& command, EventBuffer& events,
                                                      const OrderSlot& order, Slot place) {
  const Ledger::Party party = ledger_.FindPartyFast(order.account, order.market);
  if (!party.is_known()) return OrdinaryCancel(command, events);
  ledger_.Release(party, order.side, storage_.required(place));
  Leave(command, events, place);
}

// As MoveFast, for an order that has money reserved, if its account can pay.
ENGINE_OUT_OF_LINE void Exchange::MoveWithMoney(const Command& command, EventBuffer& events,
                                                Slot slot, const Market& market) {
  if (!IsPlain(storage_.order(slot), OrderMarks::kMoney)) {
    return MoveIfGranted(command, events, slot, market);
  }
  MoveIf(command, events, slot, market, market.open_prices,
         [&] { return ReserveAmended(command, slot, market); });
}

// Reserves what the order in `slot` requires after the amend, if its account can plainly pay. The
// order still has its old values.
ENGINE_OUT_OF_LINE bool Exchange::ReserveAmended(const Command& command, Slot slot,
                                                 const Market& market) {
  const OrderSlot& order = storage_.order(slot);
  const Quantity remains = command.quantity - order.quantity_filled;
  const RestingRequirement& resting = market.money.resting();
  if (!resting.Takes(remains)) return false;
  const Money required = resting.Of(order.side, remains, command.price);
  const Ledger::Party party = ledger_.FindParty(order.account, order.market);
  if (!party.is_known() || !party.Covers(market.money.RequirementBound(remains))) return false;
  ledger_.Require(party, order.side, required - storage_.required(slot));
  storage_.required(slot) = required;
  return true;
}

}  // namespace engine
