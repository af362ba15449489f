// The last steps of the fast path: an order joins a level, leaves one, or keeps its place.
//
// Each ends a function that has made all checks, and is inlined into it, so that both fit in the
// nine registers that may be used without saving them.
//
// Private to the exchange's own files.

#ifndef ENGINE_CORE_EXCHANGE_FAST_PATH_H_
#define ENGINE_CORE_EXCHANGE_FAST_PATH_H_

#include <atomic>
#include <cstdint>

#include "engine/base/inline.h"
#include "engine/core/exchange.h"
#include "engine/core/ordinary_words.h"
#include "engine/messages/event.h"

namespace engine {

// Whether there are a free order slot, an index page and event room for the order that `command`
// enters.
ENGINE_ALWAYS_INLINE bool Exchange::IsReadyFor(const Command& command,
                                               const EventBuffer& events) const {
  return storage_.has_free_order() && index_.HasPageFor(OrderIdOf(command.sequence)) &&
         events.has_room();
}

// Accepts the order that `command` enters and appends it to the queue of `level`. REQUIRES:
// IsReadyFor(command, events).
template <uint8_t marks>
ENGINE_ALWAYS_INLINE void Exchange::PlaceOnLevel(const Command& command, EventBuffer& events,
                                                 Slot level) {
  events.BeginOne();
  Event& event = events.AppendUnsetInRoom();
  const Slot slot = storage_.TakeFreeOrder();
  const SlotMemory memory = storage_.memory();
  const SequenceNumber sequence = last_applied_;
  WriteArrival(event, memory.order(slot), command, sequence, marks);
  index_.InsertInPage(OrderIdOf(sequence), slot);
  OrderBook::Append(memory, slot, level, command.quantity);
}

// Cancels an order that has nothing left to undo. `place` is its entry in the index. REQUIRES: the
// order is not alone on its level; `events` has room.
ENGINE_ALWAYS_INLINE void Exchange::LeaveOthers(EventBuffer& events, OrderSlot& order,
                                                Slot& place) {
  OrderBook::UnlinkFromOthers(storage_.memory(), order);
  // After this fence the compiler reads memory again: keeping what it has read would take more
  // registers than may be used without saving them.
  std::atomic_signal_fence(std::memory_order_seq_cst);
  events.BeginOne();
  WriteCancelled(events.AppendUnsetInRoom(), order, last_applied_);
  storage_.FreeOrder(order, place);
  place = Slot();
}

// The level to which the amend moves `order`. Nowhere if the price is not one of the first
// `allowed`, no level is near at that price, the quantity is not valid, or the order is alone on
// its level or keeps its priority.
ENGINE_ALWAYS_INLINE Slot Exchange::LevelToMoveTo(const Command& command, const OrderSlot& order,
                                                  const Market& market, uint64_t allowed) {
  const uint64_t price = market.prices.IndexOf(command.price.units());
  if (price >= allowed || !market.Allows(command.quantity) ||
      command.quantity <= order.quantity_filled || OrderBook::IsAlone(order)) {
    return Slot();
  }
  if (command.price == order.price && command.quantity <= order.quantity_total()) return Slot();
  return market.book.LevelAt(order.side, RankOf(order.side, price));
}

// Lowers the order's quantity in place. REQUIRES: the command's quantity is below the order's total
// and above its filled part; `events` has room.
ENGINE_ALWAYS_INLINE void Exchange::LowerInPlace(const Command& command, EventBuffer& events,
                                                 OrderSlot& order) {
  const Quantity remains = command.quantity - order.quantity_filled;
  storage_.level(order.level).quantity -= order.quantity_remaining - remains;
  order.quantity_remaining = remains;
  events.BeginOne();
  WriteAmended(events.AppendUnsetInRoom(), order, command, PriorityOutcome::kKept);
}

// Lowers the order in place, or moves it to the end of a level that exists, if the price is one of
// the first `allowed` of its market and `is_granted()`, which is called last and at most once.
// Passes all other amends on to OrdinaryAmend.
template <typename IsGranted>
ENGINE_ALWAYS_INLINE void Exchange::MoveIf(const Command& command, EventBuffer& events, Slot slot,
                                           const Market& market, uint64_t allowed,
                                           IsGranted is_granted) {
  OrderSlot& order = storage_.order(slot);
  if (command.price == order.price && command.quantity < order.quantity_total()) {
    if (allowed == 0 || !market.Allows(command.quantity) ||
        command.quantity <= order.quantity_filled || !events.has_room() || !is_granted()) {
      return OrdinaryAmend(command, events);
    }
    return LowerInPlace(command, events, order);
  }
  const Slot level = LevelToMoveTo(command, order, market, allowed);
  if (level == Slot() || !events.has_room() || !is_granted()) {
    return OrdinaryAmend(command, events);
  }
  MoveToOthers(command, events, slot, level);
}

}  // namespace engine

#endif  // ENGINE_CORE_EXCHANGE_FAST_PATH_H_
