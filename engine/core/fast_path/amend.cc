// Amends that move an order to another level without a trade, or lower it in place.

#include <cstdint>

#include "engine/base/inline.h"
#include "engine/core/fast_path/fast_path.h"
#include "engine/core/fast_path/steps.h"

namespace engine::fast_path {
namespace {

// Whether the amend leaves the order where it is, with less.
ENGINE_ALWAYS_INLINE bool OnlyLowers(const Command& command, const OrderSlot& order) {
  return command.price == order.price && command.quantity < order.quantity_total();
}

// Whether the amend moves `order` to the end of the queue at the price with index `price`, if it
// does not trade there: the price is one of the first `allowed`, and the quantity is valid.
ENGINE_ALWAYS_INLINE bool Moves(const Command& command, const OrderSlot& order,
                                const Market& market, uint64_t price, uint64_t allowed) {
  return price < allowed && market.Allows(command.quantity) &&
         command.quantity > order.quantity_filled &&
         (command.price != order.price || command.quantity > order.quantity_total());
}

// Writes the amended values to an order that is not in the book.
ENGINE_ALWAYS_INLINE void SetAmended(OrderSlot& order, const Command& command) {
  order.price = command.price;
  order.quantity_remaining = command.quantity - order.quantity_filled;
  order.priority = command.sequence;
}

// Moves the order to the end of `level`. REQUIRES: it is not alone on its level; `events` has room.
ENGINE_OUT_OF_LINE void MoveToOthers(VenueState& venue, const Command& command, EventBuffer& events,
                                     Slot slot, Slot level) {
  const SlotMemory memory = venue.storage.memory();
  OrderSlot& order = memory.order(slot);
  OrderBook::UnlinkFromOthers(memory, order);
  SetAmended(order, command);
  events.BeginOne();
  WriteAmended(events.AppendUnsetInRoom(), order, command, PriorityOutcome::kLost);
  OrderBook::Append(memory, slot, level, order.quantity_remaining);
}

// Moves the order to the level at `rank`. REQUIRES: it does not trade there.
ENGINE_OUT_OF_LINE void MoveAnywhere(VenueState& venue, const Command& command, EventBuffer& events,
                                     Slot slot, Market& market, int64_t rank) {
  OrderSlot& order = venue.order(slot);
  market.book.Remove(slot);
  SetAmended(order, command);
  events.Begin(command.sequence);
  WriteAmended(events.AppendUnset(), order, command, PriorityOutcome::kLost);
  market.book.Add(slot, order.side, rank);
}

// As MoveAnywhere, if the order does not trade at `rank`.
ENGINE_OUT_OF_LINE void MoveToNewLevel(VenueState& venue, const Command& command,
                                       EventBuffer& events, Slot slot, Market& market,
                                       int64_t rank) {
  if (market.book.Crosses(venue.order(slot).side, LimitOf(rank))) {
    return ApplyRules(venue, command, events);
  }
  return MoveAnywhere(venue, command, events, slot, market, rank);
}

// Lowers the order's quantity if the market allows it and `is_granted()`, which is called last and
// at most once: the order keeps its place.
template <typename IsGranted>
ENGINE_ALWAYS_INLINE void LowerIf(VenueState& venue, const Command& command, EventBuffer& events,
                                  Slot slot, const Market& market, uint64_t allowed,
                                  IsGranted is_granted) {
  OrderSlot& order = venue.order(slot);
  if (allowed == 0 || !market.Allows(command.quantity) ||
      command.quantity <= order.quantity_filled || !events.has_room() || !is_granted()) {
    return ApplyRules(venue, command, events);
  }
  const Quantity remains = command.quantity - order.quantity_filled;
  venue.storage.level(order.level).quantity -= order.quantity_remaining - remains;
  order.quantity_remaining = remains;
  events.BeginOne();
  WriteAmended(events.AppendUnsetInRoom(), order, command, PriorityOutcome::kKept);
}

// Lowers or moves an order with a mark.
template <typename IsGranted>
ENGINE_ALWAYS_INLINE void AmendIf(VenueState& venue, const Command& command, EventBuffer& events,
                                  Slot slot, Market& market, uint64_t allowed,
                                  IsGranted is_granted) {
  const OrderSlot& order = venue.order(slot);
  if (OnlyLowers(command, order)) {
    return LowerIf(venue, command, events, slot, market, allowed, is_granted);
  }
  const uint64_t price = market.IndexOf(command.price);
  const int64_t rank = RankOf(order.side, price);
  if (!Moves(command, order, market, price, allowed) ||
      market.book.Crosses(order.side, LimitOf(rank)) || !is_granted()) {
    return ApplyRules(venue, command, events);
  }
  const Slot level = market.book.LevelAt(order.side, rank);
  if (level == Slot() || !events.has_room() || OrderBook::IsAlone(order)) {
    return MoveAnywhere(venue, command, events, slot, market, rank);
  }
  return MoveToOthers(venue, command, events, slot, level);
}

// An order that counts for its account's limits, if they plainly allow the amend.
ENGINE_OUT_OF_LINE void AmendCounted(VenueState& venue, const Command& command, EventBuffer& events,
                                     Slot slot, Market& market) {
  if (!IsPlain(venue.order(slot), OrderMarks::kCounted)) return ApplyRules(venue, command, events);
  return AmendIf(venue, command, events, slot, market, market.ordinary_prices, [&] {
    return venue.risk.GrantIfPlainlyWithin(command, market.terms->micros, /*rests_already=*/true);
  });
}

// An order that has money reserved, if its account can pay.
ENGINE_OUT_OF_LINE void AmendMarked(VenueState& venue, const Command& command, EventBuffer& events,
                                    Slot slot, Market& market) {
  if (!IsPlain(venue.order(slot), OrderMarks::kMoney)) {
    return AmendCounted(venue, command, events, slot, market);
  }
  return AmendIf(venue, command, events, slot, market, market.open_prices,
                 [&] { return ReserveAmended(venue, command, slot, market); });
}

// A separate function, because it needs fewer registers than the move.
ENGINE_OUT_OF_LINE void LowerInPlace(VenueState& venue, const Command& command, EventBuffer& events,
                                     Slot slot, const Market& market) {
  return LowerIf(venue, command, events, slot, market, market.ordinary_prices, [] { return true; });
}

// A suspended account has no live orders, but is refused for another reason.
ENGINE_OUT_OF_LINE void RefuseRestrictedAmend(VenueState& venue, const Command& command,
                                              EventBuffer& events) {
  if (venue.risk.IsSuspended(command.account)) return ApplyRules(venue, command, events);
  return RefuseIfNotLive(venue, command, events);
}

}  // namespace

// As AmendIf, but in two steps, each of which needs fewer registers.
ENGINE_OUT_OF_LINE void ApplyAmend(VenueState& venue, const Command& command, EventBuffer& events) {
  const Slot slot = venue.index.PlaceOf(command.order_id);
  const OrderSlot& order = venue.order(slot);
  if (order.id != command.order_id) {
    return venue.risk.restricts_any() ? RefuseRestrictedAmend(venue, command, events)
                                      : RefuseIfNotLive(venue, command, events);
  }
  Market* const market = venue.markets.FindSmall(command.market);
  if (OwnerOf(order) != OwnerOf(command) || market == nullptr)
    return ApplyRules(venue, command, events);
  if (!IsPlain(order)) return AmendMarked(venue, command, events, slot, *market);
  if (OnlyLowers(command, order)) return LowerInPlace(venue, command, events, slot, *market);
  const uint64_t price = market->IndexOf(command.price);
  if (!Moves(command, order, *market, price, market->ordinary_prices)) {
    return ApplyRules(venue, command, events);
  }
  const int64_t rank = RankOf(order.side, price);
  const Slot level = market->book.LevelAt(order.side, rank);
  if (level == Slot() || !events.has_room() || OrderBook::IsAlone(order)) {
    return MoveToNewLevel(venue, command, events, slot, *market, rank);
  }
  return MoveToOthers(venue, command, events, slot, level);
}

}  // namespace engine::fast_path
