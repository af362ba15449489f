// What commands will need is fetched ahead. Nothing here branches on what the commands to come are:
// that cannot be foretold, and a wrong guess here would cost what it saves there.

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
  if (!markets_.are_many()) return;  // The levels of few are close already.
  const Market* const market = markets_.FindSmall(command.market);
  if (market == nullptr) return;
  market->book.PrefetchPlace(command.side, market->RankAt(command.side, command.price));
}

// The order that is named, or, where none is, the level that will be joined.
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
  // Of two, as a choice between them would be a branch.
  const Slot* const levels[] = {
      &order.level,
      market->book.PlaceAhead(command.side, market->RankAt(command.side, command.price))};
  memory.Prefetch(*levels[slot == Slot()]);
}

}  // namespace engine
