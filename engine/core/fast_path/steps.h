// The steps that the files of the fast path share. The inlined ones end a function that has made
// all checks, so that both fit in the nine registers that may be used without saving them.

#ifndef ENGINE_CORE_FAST_PATH_STEPS_H_
#define ENGINE_CORE_FAST_PATH_STEPS_H_

#include <atomic>
#include <cstdint>

#include "engine/base/inline.h"
#include "engine/core/fast_path/wide_fields.h"
#include "engine/core/order_events.h"
#include "engine/core/rules.h"
#include "engine/core/venue_state.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"

namespace engine::fast_path {

// After this fence the compiler reads memory again: keeping what it has read would take more
// registers than may be used without saving them.
ENGINE_ALWAYS_INLINE void ForgetRegisters() { std::atomic_signal_fence(std::memory_order_seq_cst); }

// ---- new_order.cc

// The order's level is new or not near, or the order crosses.
void RestOnNewLevel(VenueState& venue, const Command& command, EventBuffer& events, Market& market,
                    int64_t rank);
// The order joins `level`, if its account's limits plainly allow it.
void RestIfGranted(VenueState& venue, const Command& command, EventBuffer& events, Slot level,
                   const Market& market);

// ---- amend.cc

void ApplyAmend(VenueState& venue, const Command& command, EventBuffer& events);

// ---- take.cc

// An order without special terms that may trade, must not rest, or needs new memory.
void TakeOrRest(VenueState& venue, const Command& command, EventBuffer& events);
// The same in a market without money, after all checks. `limit` is kAnyRank or that of its price.
void Take(VenueState& venue, const Command& command, EventBuffer& events, Market& market,
          int64_t limit);
// The same for an order that does not cross.
void RestAnywhere(VenueState& venue, const Command& command, EventBuffer& events, Market& market,
                  int64_t rank);

// ---- money.cc: the same steps in markets with money

void RestWithMoney(VenueState& venue, const Command& command, EventBuffer& events, uint64_t price,
                   Market& market);
void LeaveWithMoney(VenueState& venue, const Command& command, EventBuffer& events,
                    OrderSlot& order, Slot& place);
// Reserves what the order in `slot` requires after the amend, if its account can plainly pay. The
// order still has its old values.
bool ReserveAmended(VenueState& venue, const Command& command, Slot slot, const Market& market);

// ---- cancel.cc

// Cancels an order that has nothing left to undo and is alone on its level, or without room for the
// event.
void LeaveLevel(VenueState& venue, const Command& command, EventBuffer& events, Slot slot);
// Cancels an order that counts for its account's limits and has no other marks.
void LeaveCounted(VenueState& venue, const Command& command, EventBuffer& events, OrderSlot& order,
                  Slot& place);
// The order that the command names is not live: it has just traded, or it is cancelled twice.
void RefuseIfNotLive(VenueState& venue, const Command& command, EventBuffer& events);

// ---- Inlined steps

// Whether there are a free order slot, index room and event room for the order that the command
// enters.
ENGINE_ALWAYS_INLINE bool HasRoomForOrder(const VenueState& venue, const EventBuffer& events) {
  return venue.storage.has_free_order() && venue.index.HasRoomFor(OrderIdOf(venue.last_applied)) &&
         events.has_room();
}

// Accepts the order that `command` enters and appends it to the queue of `level`. REQUIRES:
// HasRoomForOrder(venue, events).
template <uint8_t marks = 0>
ENGINE_ALWAYS_INLINE void PlaceOnLevel(VenueState& venue, const Command& command,
                                       EventBuffer& events, Slot level) {
  events.BeginOne();
  Event& event = events.AppendUnsetInRoom();
  const Slot slot = venue.storage.TakeFreeOrder();
  const SlotMemory memory = venue.storage.memory();
  const SequenceNumber sequence = venue.last_applied;
  WriteArrival(event, memory.order(slot), command, sequence, marks);
  venue.index.InsertInRoom(OrderIdOf(sequence), slot);
  OrderBook::Append(memory, slot, level, command.quantity);
}

// Cancels an order that has nothing left to undo. `place` is its entry in the index. REQUIRES: the
// order is not alone on its level; `events` has room.
ENGINE_ALWAYS_INLINE void LeaveOthers(VenueState& venue, EventBuffer& events, OrderSlot& order,
                                      Slot& place) {
  OrderBook::UnlinkFromOthers(venue.storage.memory(), order);
  ForgetRegisters();
  events.BeginOne();
  WriteCancelled(events.AppendUnsetInRoom(), order, venue.last_applied);
  venue.storage.FreeOrder(order, place);
  place = Slot();
}

}  // namespace engine::fast_path

#endif  // ENGINE_CORE_FAST_PATH_STEPS_H_
