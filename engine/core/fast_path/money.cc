// The fast path in markets with money: orders that join a queue and reserve, leave one and release,
// or change.
//
//   compute what is required ─► find the account, check that it can pay ─► join
//   the level
//
// Two steps, so that neither needs a register for the other: the first passes on what is required.

#include <cstdint>

#include "engine/base/inline.h"
#include "engine/core/fast_path/fast_path.h"
#include "engine/core/fast_path/steps.h"

namespace engine::fast_path {
namespace {

// Reserves what the order that `command` enters requires, if its account can plainly pay, that is
// for any order of this size. REQUIRES: HasRoomForOrder(venue, events).
ENGINE_ALWAYS_INLINE bool ReserveFast(VenueState& venue, const Command& command, Money required,
                                      Ledger::Party party, const ContractMoney& money) {
  if (!party.is_known() || !party.Covers(money.RequirementBound(command.quantity))) [[unlikely]] {
    return false;
  }
  venue.storage.required(venue.storage.next_free_order()) = required;
  ForgetRegisters();
  venue.ledger.Require(party, command.side, required);
  return true;
}

// PayAndRest if FindPartyFast does not find the account.
ENGINE_OUT_OF_LINE void PayAndRestElsewhere(VenueState& venue, const Command& command,
                                            EventBuffer& events, Money required, Slot level,
                                            const ContractMoney& money) {
  const Ledger::Party party = venue.ledger.FindParty(command.account, command.market);
  if (!ReserveFast(venue, command, required, party, money)) {
    return TakeOrRest(venue, command, events);
  }
  return PlaceOnLevel<OrderMarks::kMoney>(venue, command, events, level);
}

ENGINE_OUT_OF_LINE void PayAndRest(VenueState& venue, const Command& command, EventBuffer& events,
                                   Money required, Slot level, const ContractMoney& money) {
  const Ledger::Party party = venue.ledger.FindPartyFast(command.account, command.market);
  if (!party.is_known()) {
    return PayAndRestElsewhere(venue, command, events, required, level, money);
  }
  if (!ReserveFast(venue, command, required, party, money))
    return ApplyRules(venue, command, events);
  ForgetRegisters();
  return PlaceOnLevel<OrderMarks::kMoney>(venue, command, events, level);
}

// The order begins a level, or crosses.
ENGINE_OUT_OF_LINE void RestOnNewLevelIfPaid(VenueState& venue, const Command& command,
                                             EventBuffer& events, int64_t rank, Market& market) {
  const ContractMoney& money = market.money();
  const RestingRequirement& resting = money.resting();
  if (market.book.Crosses(command.side, LimitOf(rank)) || !HasRoomForOrder(venue, events) ||
      !resting.Takes(command.quantity)) {
    return TakeOrRest(venue, command, events);
  }
  const Money required = resting.Of(command.side, command.quantity, command.price);
  const Ledger::Party party = venue.ledger.FindParty(command.account, command.market);
  if (!ReserveFast(venue, command, required, party, money))
    return ApplyRules(venue, command, events);
  return PlaceOnLevel<OrderMarks::kMoney>(venue, command, events,
                                          market.book.LevelFor(command.side, rank));
}

// The order in `place` is alone on its level, or there is no room for the event.
ENGINE_OUT_OF_LINE void LeaveLevelWithMoney(VenueState& venue, const Command& command,
                                            EventBuffer& events, const OrderSlot& order,
                                            Slot place) {
  const Ledger::Party party = venue.ledger.FindPartyFast(order.account, order.market);
  if (!party.is_known()) return ApplyRules(venue, command, events);
  venue.ledger.Release(party, order.side, venue.storage.required(place));
  return LeaveLevel(venue, command, events, place);
}

}  // namespace

// The order joins its level, if nothing else is to be done and its account can pay.
ENGINE_OUT_OF_LINE void RestWithMoney(VenueState& venue, const Command& command,
                                      EventBuffer& events, uint64_t price, Market& market) {
  if (price >= market.open_prices || !market.Allows(command.quantity))
    return ApplyRules(venue, command, events);
  const int64_t rank = RankOf(command.side, price);
  const Slot level = market.book.LevelAt(command.side, rank);
  if (level == Slot()) return RestOnNewLevelIfPaid(venue, command, events, rank, market);
  const ContractMoney& money = market.money();
  const RestingRequirement& resting = money.resting();
  if (!HasRoomForOrder(venue, events) || !resting.Takes(command.quantity)) {
    return TakeOrRest(venue, command, events);
  }
  return PayAndRest(venue, command, events,
                    resting.Of(command.side, command.quantity, command.price), level, money);
}

// Cancels an order that has money reserved and no other marks.
ENGINE_OUT_OF_LINE void LeaveWithMoney(VenueState& venue, const Command& command,
                                       EventBuffer& events, OrderSlot& order, Slot& place) {
  if (!order.marks.has_only(OrderMarks::kMoney)) {
    return LeaveCounted(venue, command, events, order, place);
  }
  if (!events.has_room() || OrderBook::IsAlone(order)) {
    return LeaveLevelWithMoney(venue, command, events, order, place);
  }
  const Ledger::Party party = venue.ledger.FindPartyFast(order.account, order.market);
  if (!party.is_known()) return ApplyRules(venue, command, events);
  if (!venue.ledger.ReleaseFast(party, order.side, venue.storage.required(place)))
    return ApplyRules(venue, command, events);
  ForgetRegisters();
  return LeaveOthers(venue, events, order, place);
}

ENGINE_OUT_OF_LINE bool ReserveAmended(VenueState& venue, const Command& command, Slot slot,
                                       const Market& market) {
  const OrderSlot& order = venue.order(slot);
  const Quantity remains = command.quantity - order.quantity_filled;
  const RestingRequirement& resting = market.money().resting();
  if (!resting.Takes(remains)) return false;
  const Money required = resting.Of(order.side, remains, command.price);
  const Ledger::Party party = venue.ledger.FindParty(order.account, order.market);
  if (!party.is_known() || !party.Covers(market.money().RequirementBound(remains))) return false;
  venue.ledger.Require(party, order.side, required - venue.storage.required(slot));
  venue.storage.required(slot) = required;
  return true;
}

}  // namespace engine::fast_path
