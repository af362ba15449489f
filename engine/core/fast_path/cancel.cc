// Cancels of orders without special terms, and of orders that are no longer live.

#include <cstdint>

#include "engine/base/inline.h"
#include "engine/core/fast_path/fast_path.h"
#include "engine/core/fast_path/steps.h"

namespace engine::fast_path {

ENGINE_OUT_OF_LINE void LeaveCounted(VenueState& venue, const Command& command, EventBuffer& events,
                                     OrderSlot& order, Slot& place) {
  if (!order.marks.has_only(OrderMarks::kCounted) || !venue.risk.CountCancelFast(order.account)) {
    return ApplyRules(venue, command, events);
  }
  ForgetRegisters();
  if (!events.has_room() || OrderBook::IsAlone(order)) {
    return LeaveLevel(venue, command, events, place);
  }
  return LeaveOthers(venue, events, order, place);
}

ENGINE_OUT_OF_LINE void LeaveLevel(VenueState& venue, const Command& command, EventBuffer& events,
                                   Slot slot) {
  events.Begin(command.sequence);
  AppendCancelled(events, venue.order(slot), CancelReason::kRequested);
  venue.index.Erase(command.order_id);
  const Slot empty = OrderBook::Unlink(venue.storage.memory(), slot);
  venue.storage.FreeOrder(slot);
  if (empty != Slot()) venue.markets.Find(command.market)->book.RemoveLevel(empty);
}

// In a fast market most cancels end here.
ENGINE_OUT_OF_LINE void RefuseIfNotLive(VenueState& venue, const Command& command,
                                        EventBuffer& events) {
  const Market* const market = venue.markets.FindSmall(command.market);
  const uint64_t id = command.order_id.value();
  if (market == nullptr || !market->is_ordinary() || id == 0 || id >= command.sequence.value()) {
    return ApplyRules(venue, command, events);
  }
  events.Begin(command.sequence);
  AppendWhole(events, EventKind::kRejected,
              {.sequence = command.sequence, .order = command.order_id, .owner = OwnerOf(command)},
              Quantity(), Quantity(), static_cast<uint8_t>(RejectReason::kOrderNotLive));
}

}  // namespace engine::fast_path
