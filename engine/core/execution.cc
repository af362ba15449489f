#include "engine/core/live_orders.h"
#include "engine/core/order_events.h"
#include "engine/core/order_rules.h"
#include "engine/core/rules.h"
#include "engine/messages/event.h"

namespace engine {

RejectReason Execute(VenueState& venue, const Command& command, EventBuffer& events) {
  Market* market = nullptr;
  RETURN_IF_REFUSED(FindMarket(venue, command, market));
  if (!market->is_mirrored()) return RejectReason::kMarketNotMirrored;
  Slot slot;
  if (command.order_id != OrderId()) RETURN_IF_REFUSED(FindOrder(venue, command, slot));
  OrderSlot* const order = slot == Slot() ? nullptr : &venue.order(slot);
  RETURN_IF_REFUSED(CheckExecute(command, market->definition(), order));

  Quantity remains;
  if (order != nullptr) remains = order->quantity_remaining - command.quantity;
  AppendWhole(events, EventKind::kTrade,
              {.sequence = command.sequence,
               .order = command.order_id,
               .counter_order = OrderIdOf(command.sequence),
               .price = command.price,
               .owner = OwnerOf(command),
               .side = order != nullptr ? order->side : command.side},
              command.quantity, remains);
  if (order == nullptr) return RejectReason::kNone;
  if (remains.is_zero()) {
    RemoveOrder(venue, *market, slot);
    return RejectReason::kNone;
  }
  TakeFromSum(venue, slot);
  market->book.Reduce(slot, command.quantity);
  order->quantity_filled += command.quantity;
  return RejectReason::kNone;
}

}  // namespace engine
