// How the steps of what is done at once end: the order joins others, leaves them, keeps its place.
//
// Each is the end of a step that has asked all there is to ask, inlined into it, in the nine
// registers that may be used without saving them.
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

// Whether there are a free order, a page and room for the order that `command` enters.
ENGINE_ALWAYS_INLINE bool Exchange::IsReadyFor(const Command& command,
                                               const EventBuffer& events) const {
  return storage_.has_free_order() && index_.HasPageFor(OrderIdOf(command.sequence)) &&
         events.has_room();
}

// REQUIRES: IsReadyFor(command, events).
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

// The cancel of an order that has nothing to undo any more and is not alone with its level. The
// index has it in `place`. REQUIRES: there is room.
ENGINE_ALWAYS_INLINE void Exchange::LeaveOthers(EventBuffer& events, OrderSlot& order,
                                                Slot& place) {
  OrderBook::UnlinkFromOthers(storage_.memory(), order);
  // What has been read is read again behind this: to keep it would cost more registers than may be
  // used without saving them.
  std::atomic_signal_fence(std::memory_order_seq_cst);
  events.BeginOne();
  WriteCancelled(events.AppendUnsetInRoom(), order, last_applied_);
  storage_.FreeOrder(order, place);
  place = Slot();
}

// The level of its own side to which the amend moves `order`, from others to others, if it names
// one of the first `allowed` prices; else nowhere. Nowhere as well if it may keep its place.
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

// REQUIRES: it is for more, and has traded less; there is room.
ENGINE_ALWAYS_INLINE void Exchange::LowerInPlace(const Command& command, EventBuffer& events,
                                                 OrderSlot& order) {
  const Quantity remains = command.quantity - order.quantity_filled;
  storage_.level(order.level).quantity -= order.quantity_remaining - remains;
  order.quantity_remaining = remains;
  events.BeginOne();
  WriteAmended(events.AppendUnsetInRoom(), order, command, PriorityOutcome::kKept);
}

// The amend keeps the order's place, or moves it from others to others, where its market has
// `allowed` prices for that and `is_granted()`, which is asked last and once.
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
