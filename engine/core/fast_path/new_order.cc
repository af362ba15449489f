// New limit orders that begin a level, or join one under limits.

#include <cstdint>

#include "engine/base/inline.h"
#include "engine/core/fast_path/fast_path.h"
#include "engine/core/fast_path/steps.h"
#include "engine/types/order_type.h"

namespace engine::fast_path {
namespace {

// A separate function, because it needs more registers.
ENGINE_OUT_OF_LINE void BeginLevelAndRest(VenueState& venue, const Command& command,
                                          EventBuffer& events, Market& market, int64_t rank) {
  if (!HasRoomForOrder(venue, events) || !venue.storage.has_free_level() ||
      !market.book.IsNear(command.side, rank)) [[unlikely]] {
    return RestAnywhere(venue, command, events, market, rank);
  }
  const Slot level = venue.storage.TakeFreeLevel();
  market.book.BeginLevel(venue.storage.memory(), level, command.side, rank);
  ForgetRegisters();
  return PlaceOnLevel(venue, command, events, level);
}

}  // namespace

// The order's level is new or not near, or the order crosses.
ENGINE_OUT_OF_LINE void RestOnNewLevel(VenueState& venue, const Command& command,
                                       EventBuffer& events, Market& market, int64_t rank) {
  if (market.book.Crosses(command.side, LimitOf(rank))) {
    return Take(venue, command, events, market, LimitOf(rank));
  }
  return BeginLevelAndRest(venue, command, events, market, rank);
}

// The order joins `level`, if its account's limits plainly allow it. A separate function, because
// it needs more registers.
ENGINE_OUT_OF_LINE void RestIfGranted(VenueState& venue, const Command& command,
                                      EventBuffer& events, Slot level, const Market& market) {
  if (!HasRoomForOrder(venue, events) ||
      !venue.risk.GrantIfPlainlyWithin(command, market.terms->micros,
                                       /*rests_already=*/false)) {
    return TakeOrRest(venue, command, events);
  }
  ForgetRegisters();
  return PlaceOnLevel<OrderMarks::kCounted>(venue, command, events, level);
}

}  // namespace engine::fast_path
