// Appends the events that several kinds of commands emit.

#ifndef ENGINE_CORE_ORDER_EVENTS_H_
#define ENGINE_CORE_ORDER_EVENTS_H_

#include <cstdint>

#include "engine/base/inline.h"
#include "engine/book/fault.h"
#include "engine/book/order_slot.h"
#include "engine/core/ledger.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"

namespace engine {

// An event about `order` with its present values.
ENGINE_ALWAYS_INLINE Event& AppendAbout(EventBuffer& events, EventKind kind,
                                        const OrderSlot& order) {
  Event& event = events.Append(kind);
  event.order_id = order.id;
  event.price = order.price;
  event.quantity_remaining = order.quantity_remaining;
  event.account = order.account;
  event.market = order.market;
  event.side = order.side;
  return event;
}

// `order` ends: what remained of it is cancelled.
ENGINE_ALWAYS_INLINE void AppendCancelled(EventBuffer& events, const OrderSlot& order,
                                          CancelReason reason) {
  Event& event = AppendAbout(events, EventKind::kCancelled, order);
  event.quantity = order.quantity_remaining;
  event.quantity_remaining = Quantity();
  event.detail = static_cast<uint8_t>(reason);
}

ENGINE_ALWAYS_INLINE void AppendRejected(EventBuffer& events, const Command& command,
                                         RejectReason reason) {
  Event& event = events.Append(EventKind::kRejected);
  // For other kinds that word is a time, or is not read.
  if (NamesAnOrder(command.kind) || ENGINE_FAULT(kRejectedNamesAnyWord)) {
    event.order_id = command.order_id;
  }
  event.account = command.account;
  event.market = command.market;
  event.detail = static_cast<uint8_t>(reason);
}

// `state` is the account's after the change.
inline Event& AppendBalance(EventBuffer& events, AccountId account, Money change, Money fee,
                            const AccountState& state) {
  Event& event = events.Append(EventKind::kBalance);
  event.account = account;
  event.price = Price::FromUnits(change.micros());
  event.quantity = Quantity::FromUnits(static_cast<uint64_t>(fee.micros()));
  event.counter_order_id = OrderId(static_cast<uint64_t>(state.balance.micros()));
  event.quantity_remaining = Quantity::FromUnits(static_cast<uint64_t>(state.reserved.micros()));
  return event;
}

inline void AppendPosition(EventBuffer& events, AccountId account, MarketId market,
                           int64_t position, Quantity change) {
  Event& event = events.Append(EventKind::kPosition);
  event.account = account;
  event.market = market;
  event.price = Price::FromUnits(position);
  event.quantity = change;
}

}  // namespace engine

#endif  // ENGINE_CORE_ORDER_EVENTS_H_
