// Matches an order on its way into the book, then rests or ends it.
//
//   Enter ─► trade, one maker at a time (settlement.h)
//         └► rest, or end

#ifndef ENGINE_CORE_MATCHING_H_
#define ENGINE_CORE_MATCHING_H_

#include <cstdint>

#include "engine/base/inline.h"
#include "engine/book/order_slot.h"
#include "engine/core/market.h"
#include "engine/core/venue_state.h"
#include "engine/messages/command.h"
#include "engine/messages/event_buffer.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"

namespace engine {

// An order on its way into the book, with the terms that matter only until it rests. It already
// occupies the slot in which it will rest.
struct Arrival {
  Slot slot;
  int64_t rank = 0;    // Of its price.
  int64_t limit = 0;   // The worst rank of the other side that it accepts.
  Quantity may_trade;  // The most it may trade; a reduce-only order: less than remains.
  TimeInForce tif = {};
  bool is_known = false;  // An amended order: index, group, expiries and counts have it.
};

// Trades the arrival; what remains of it rests or is cancelled. REQUIRES: the event that accepts,
// replaces or amends it has been emitted.
void Enter(VenueState& venue, Market& market, const Arrival& arrival, EventBuffer& events);

// Whether an order of `side` that accepts `limit` would trade on arrival.
inline bool WouldTrade(const Market& market, Side side, int64_t limit) {
  return !market.is_mirrored() && market.book.Crosses(side, limit);
}

// Whether `order` keeps its priority: the amend keeps the price and does not raise the quantity.
ENGINE_ALWAYS_INLINE bool KeepsPriority(const Command& amend, const OrderSlot& order) {
  if (amend.price != order.price) return false;
  return amend.quantity <= order.quantity_total();
}

}  // namespace engine

#endif  // ENGINE_CORE_MATCHING_H_
