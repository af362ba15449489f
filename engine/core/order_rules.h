// Validates order commands before anything changes.
//
// Each function checks its reasons in the order of RULES.md, 12, and returns the first that
// applies, or kNone. Pure functions; any bit pattern of a command is safe.

#ifndef ENGINE_CORE_ORDER_RULES_H_
#define ENGINE_CORE_ORDER_RULES_H_

#include "engine/book/order_slot.h"
#include "engine/messages/command.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/market_definition.h"

// Returns the reason from the function around it, unless the check returns kNone.
#define RETURN_IF_REFUSED(check)                                                              \
  if (const ::engine::RejectReason reason = (check); reason != ::engine::RejectReason::kNone) \
  return reason

namespace engine {

// Whether `command` may address the order that it names; `order` is null when no order with that id
// is live.
RejectReason CheckAddressedOrder(const Command& command, const OrderSlot* order);

// Whether the price lies in the market's band and is a multiple of its tick.
RejectReason CheckPrice(Price price, const MarketDefinition& market);

// A new order: its terms, its quantity, the price of a limit order, its expiry, in this order.
RejectReason CheckNewOrder(const Command& command, const MarketDefinition& market);

// The trade that `command` reports, of `order` if it names one: else that is null.
RejectReason CheckExecute(const Command& command, const MarketDefinition& market,
                          const OrderSlot* order);

// The quantity to take away. More than remains is a cancel, so there is no maximum.
RejectReason CheckReduce(const Command& command, const MarketDefinition& market);

// What shall remain of `order`: less than remains now.
RejectReason CheckReduceTo(const Command& command, const MarketDefinition& market,
                           const OrderSlot& order);

// The quantity and price of a limit order, also of the one that a replace asks for.
RejectReason CheckLimitOrder(const Command& command, const MarketDefinition& market);

// The expiry that `order` is to have.
RejectReason CheckSetExpiry(const Command& command, const OrderSlot& order);

// The price and total quantity that an amend gives `order`.
RejectReason CheckAmend(const Command& command, const MarketDefinition& market,
                        const OrderSlot& order);

}  // namespace engine

#endif  // ENGINE_CORE_ORDER_RULES_H_
