#include "engine/core/fast_path/fast_path.h"

#include <cstdint>

#include "engine/base/inline.h"
#include "engine/core/fast_path/steps.h"
#include "engine/types/order_type.h"

namespace engine::fast_path {
namespace {

enum class Limits : uint8_t { kNone, kSome };  // Whether any account is restricted.

template <Limits limits>
ENGINE_ALWAYS_INLINE void ApplyNewOrder(VenueState& venue, const Command& command,
                                        EventBuffer& events) {
  Market* const market = venue.markets.FindSmall(command.market);
  if (market == nullptr || !HasTerms(command, OrderType::kLimit, TimeInForce::kGoodTillCancelled)) {
    return TakeOrRest(venue, command, events);
  }
  const uint64_t price = market->IndexOf(command.price);
  if (price >= market->ordinary_prices) {
    // A price that is open but not ordinary is one of a market with money.
    if constexpr (limits == Limits::kNone) {
      return RestWithMoney(venue, command, events, price, *market);
    } else {
      return TakeOrRest(venue, command, events);
    }
  }
  if (!market->Allows(command.quantity)) return TakeOrRest(venue, command, events);
  const int64_t rank = RankOf(command.side, price);
  // If its own side has a level at this price, the order does not cross (E2).
  const Slot level = market->book.LevelAt(command.side, rank);
  if constexpr (limits == Limits::kSome) {
    if (level == Slot()) return TakeOrRest(venue, command, events);
    return RestIfGranted(venue, command, events, level, *market);
  } else {
    if (level == Slot()) return RestOnNewLevel(venue, command, events, *market, rank);
    if (!HasRoomForOrder(venue, events)) [[unlikely]]
      return RestAnywhere(venue, command, events, *market, rank);
    return PlaceOnLevel(venue, command, events, level);
  }
}

ENGINE_ALWAYS_INLINE void ApplyCancel(VenueState& venue, const Command& command,
                                      EventBuffer& events) {
  Slot& place = venue.index.PlaceOf(command.order_id);
  const Slot slot = place;
  OrderSlot& order = venue.order(slot);
  if (order.id != command.order_id) return RefuseIfNotLive(venue, command, events);
  if (OwnerOf(order) != OwnerOf(command)) return ApplyRules(venue, command, events);
  if (order.marks.any()) return LeaveWithMoney(venue, command, events, order, place);
  if (!events.has_room() || OrderBook::IsAlone(order)) {
    return LeaveLevel(venue, command, events, place);
  }
  return LeaveOthers(venue, events, order, place);
}

template <Limits limits>
ENGINE_ALWAYS_INLINE void ApplyKind(VenueState& venue, const Command& command,
                                    EventBuffer& events) {
  if (command.kind == CommandKind::kNewOrder) return ApplyNewOrder<limits>(venue, command, events);
  if (command.kind == CommandKind::kCancel) return ApplyCancel(venue, command, events);
  if (command.kind == CommandKind::kAmend) return ApplyAmend(venue, command, events);
  return ApplyRules(venue, command, events);
}

// A separate function, because it is rare that an account is restricted.
ENGINE_OUT_OF_LINE void ApplyWithLimits(VenueState& venue, const Command& command,
                                        EventBuffer& events) {
  if (venue.now >= venue.active_until) return ApplyRules(venue, command, events);
  return ApplyKind<Limits::kSome>(venue, command, events);
}

}  // namespace

ENGINE_OUT_OF_LINE void Apply(VenueState& venue, const Command& command, EventBuffer& events) {
  if (venue.now >= venue.unlimited_until) [[unlikely]]
    return ApplyWithLimits(venue, command, events);
  return ApplyKind<Limits::kNone>(venue, command, events);
}

}  // namespace engine::fast_path
