// Prefetches what later commands will need. Nothing here branches on the kind of a later command:
// kinds are unpredictable, and a misprediction would cost what the prefetch saves.

#include "engine/base/inline.h"
#include "engine/core/exchange.h"

namespace engine {

ENGINE_OUT_OF_LINE void Exchange::PrefetchFar(const Command* coming) const {
  if (markets_.are_many()) markets_.Prefetch(coming[kIdentityAhead].market);
  if (!storage_.is_far()) return;
  PrefetchOrder(coming[kOrderAhead]);
  PrefetchNeighbours(coming[kNeighboursAhead]);
}

ENGINE_ALWAYS_INLINE void Exchange::PrefetchOrder(const Command& command) const {
  storage_.memory().Prefetch(index_.PlaceOf(command.order_id));
  if (!markets_.are_many()) return;  // The levels of few markets are in the cache already.
  const Market* const market = markets_.FindSmall(command.market);
  if (market == nullptr) return;
  market->book.PrefetchPlace(command.side, market->RankAt(command.side, command.price));
}

// Prefetches the neighbours and the level of the order that the command names, or, if it names
// none, the level that its order will join.
ENGINE_ALWAYS_INLINE void Exchange::PrefetchNeighbours(const Command& command) const {
  const SlotMemory memory = storage_.memory();
  const Slot slot = index_.PlaceOf(command.order_id);
  const OrderSlot& order = memory.order(slot);
  memory.Prefetch(order.links.next);
  memory.Prefetch(order.links.prev);
  if (!markets_.are_many()) return;
  const Market* const market = markets_.FindSmall(command.market);
  if (market == nullptr) return;
  market->book.PrefetchPlace(order.side, market->RankAt(order.side, order.price));
  // An array, because a conditional would be a branch.
  const Slot* const levels[] = {
      &order.level,
      market->book.PlaceAhead(command.side, market->RankAt(command.side, command.price))};
  memory.Prefetch(*levels[slot == Slot()]);
}

}  // namespace engine
