// Prefetches what later commands will need. Nothing here branches on the kind of a later command:
// kinds are unpredictable, and a misprediction would cost what the prefetch saves.

#include "engine/base/inline.h"
#include "engine/core/fast_path/fast_path.h"

namespace engine::fast_path {
namespace {

ENGINE_ALWAYS_INLINE void PrefetchOrder(const VenueState& venue, const Command& command) {
  venue.storage.memory().Prefetch(venue.index.PlaceOf(command.order_id));
  if (!venue.markets.are_many()) return;  // The levels of few markets are in the cache already.
  const Market* const market = venue.markets.FindSmall(command.market);
  if (market == nullptr) return;
  market->book.PrefetchPlace(command.side, market->RankAt(command.side, command.price));
}

// Prefetches the neighbours and the level of the order that the command names, or, if it names
// none, the level that its order will join.
ENGINE_ALWAYS_INLINE void PrefetchNeighbours(const VenueState& venue, const Command& command) {
  const SlotMemory memory = venue.storage.memory();
  const Slot slot = venue.index.PlaceOf(command.order_id);
  const OrderSlot& order = memory.order(slot);
  memory.Prefetch(order.links.next);
  memory.Prefetch(order.links.prev);
  if (!venue.markets.are_many()) return;
  const Market* const market = venue.markets.FindSmall(command.market);
  if (market == nullptr) return;
  market->book.PrefetchPlace(order.side, market->RankAt(order.side, order.price));
  // An array, because a conditional would be a branch.
  const Slot* const levels[] = {
      &order.level,
      market->book.PlaceAhead(command.side, market->RankAt(command.side, command.price))};
  memory.Prefetch(*levels[slot == Slot()]);
}

}  // namespace

ENGINE_OUT_OF_LINE void PrefetchFar(const VenueState& venue, const Command* coming) {
  if (venue.markets.are_many()) venue.markets.Prefetch(coming[kIdentityAhead].market);
  if (!venue.storage.is_far()) return;
  PrefetchOrder(venue, coming[kOrderAhead]);
  PrefetchNeighbours(venue, coming[kNeighboursAhead]);
}

}  // namespace engine::fast_path
