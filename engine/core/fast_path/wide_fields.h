// Reads and writes commands, events and orders eight or sixteen bytes at a time: several small
// fields together, each byte written once.

#ifndef ENGINE_CORE_FAST_PATH_WIDE_FIELDS_H_
#define ENGINE_CORE_FAST_PATH_WIDE_FIELDS_H_

#include <emmintrin.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/base/inline.h"
#include "engine/base/sequence_number.h"
#include "engine/book/order_slot.h"
#include "engine/core/order_events.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"

namespace engine::fast_path {

// Kind, side, type, time in force, flags and group of a command, as one word.
ENGINE_ALWAYS_INLINE uint64_t WordOf(const Command& command) {
  static_assert(offsetof(Command, kind) == 56 && offsetof(Command, side) == 58 &&
                offsetof(Command, type) == 59 && offsetof(Command, tif) == 60);
  uint64_t word = 0;
  std::memcpy(&word, reinterpret_cast<const char*>(&command) + offsetof(Command, kind),
              sizeof(word));
  return word;
}

// The same word of a new order without flags and group.
constexpr uint64_t WordOf(Side side, OrderType type, TimeInForce tif) {
  return uint64_t{static_cast<uint16_t>(CommandKind::kNewOrder)} |
         uint64_t{static_cast<uint8_t>(side)} << 16 | uint64_t{static_cast<uint8_t>(type)} << 24 |
         uint64_t{static_cast<uint8_t>(tif)} << 32;
}

// Whether the command is a new order, a bid or an ask, of these terms, without flags and group.
ENGINE_ALWAYS_INLINE bool HasTerms(const Command& command, OrderType type, TimeInForce tif) {
  const uint64_t bid = WordOf(Side::kBid, type, tif);
  const uint64_t ask = WordOf(Side::kAsk, type, tif);
  const uint64_t above = WordOf(command) - bid;  // Zero for a bid, ask - bid = 2^16 for an ask.
  return (above & ~(ask - bid)) == 0;
}

// Two adjacent words of a command, event or order, read or written together.
using WordPair = __m128i;

template <typename T>
ENGINE_ALWAYS_INLINE WordPair PairAt(const T& of, size_t offset) {
  const auto* const at = reinterpret_cast<const char*>(&of) + offset;
  return _mm_loadu_si128(reinterpret_cast<const WordPair*>(at));
}
template <typename T>
ENGINE_ALWAYS_INLINE void SetPairAt(T& of, size_t offset, WordPair pair) {
  _mm_storeu_si128(reinterpret_cast<WordPair*>(reinterpret_cast<char*>(&of) + offset), pair);
}

// An id, then zero.
ENGINE_ALWAYS_INLINE WordPair PairOf(OrderId id) {
  return _mm_cvtsi64_si128(static_cast<int64_t>(id.value()));
}
// Sets order_id, and counter_order_id to zero.
ENGINE_ALWAYS_INLINE void SetIds(Event& event, WordPair id) {
  static_assert(offsetof(Event, counter_order_id) == offsetof(Event, order_id) + 8);
  SetPairAt(event, offsetof(Event, order_id), id);
}

// The price and the quantity: of an order, the remaining quantity.
ENGINE_ALWAYS_INLINE WordPair TermsOf(const Command& command) {
  static_assert(offsetof(Command, quantity) == offsetof(Command, price) + 8);
  return PairAt(command, offsetof(Command, price));
}
ENGINE_ALWAYS_INLINE WordPair TermsOf(const OrderSlot& order) {
  static_assert(offsetof(OrderSlot, quantity_remaining) == offsetof(OrderSlot, price) + 8);
  return PairAt(order, offsetof(OrderSlot, price));
}
ENGINE_ALWAYS_INLINE Quantity QuantityOf(WordPair terms) {
  return Quantity::FromUnits(static_cast<uint64_t>(terms[1]));
}
ENGINE_ALWAYS_INLINE void SetTerms(Event& event, WordPair terms) {
  static_assert(offsetof(Event, quantity) == offsetof(Event, price) + 8);
  SetPairAt(event, offsetof(Event, price), terms);
}
ENGINE_ALWAYS_INLINE void SetTerms(OrderSlot& order, WordPair terms) {
  SetPairAt(order, offsetof(OrderSlot, price), terms);
}

// The subject of all events about the order that `command` enters.
ENGINE_ALWAYS_INLINE EventSubject SubjectOf(const Command& command) {
  return {.sequence = command.sequence,
          .order = OrderIdOf(command.sequence),
          .price = command.price,
          .owner = OwnerOf(command),
          .side = command.side};
}

// Sets side, time in force and marks of an order without flags. What is known in advance is one
// word; the side is written over it, so that no computation needs it.
ENGINE_ALWAYS_INLINE void SetTermsOf(OrderSlot& order, Side side, TimeInForce tif,
                                     uint8_t marks = 0) {
  static_assert(offsetof(OrderSlot, side) == 60 && offsetof(OrderSlot, tif) == 61 &&
                offsetof(OrderSlot, marks) == 63 && sizeof(OrderSlot) == 64);
  const uint32_t word = uint32_t{static_cast<uint8_t>(tif)} << 8 | uint32_t{marks} << 24;
  std::memcpy(reinterpret_cast<char*>(&order) + offsetof(OrderSlot, side), &word, sizeof(word));
  order.side = side;
}

// Writes the order that `command` enters, good till cancelled, and its kAccepted event: everything
// but links and level. Each word is read once and written to both, so that few registers are in use
// at a time. `sequence` is the command's, passed by value: the compiler cannot know that the writes
// here do not change the command.
ENGINE_ALWAYS_INLINE void WriteArrival(Event& event, OrderSlot& order, const Command& command,
                                       SequenceNumber sequence, uint8_t marks) {
  static_assert(offsetof(OrderSlot, quantity_filled) == offsetof(OrderSlot, id) + 8);
  const WordPair id = PairOf(OrderIdOf(sequence));
  event.sequence = sequence;
  SetIds(event, id);
  SetPairAt(order, offsetof(OrderSlot, id), id);
  order.priority = sequence;
  const WordPair terms = TermsOf(command);
  SetTerms(event, terms);
  SetTerms(order, terms);
  event.quantity_remaining = QuantityOf(terms);
  const uint64_t owner = OwnerOf(command);
  SetOwner(event, owner);
  SetOwner(order, owner);
  const Side side = command.side;
  SetTermsOf(order, side, TimeInForce::kGoodTillCancelled, marks);
  SetKind(event, EventKind::kAccepted, side, 0, 0);
}

// Writes that the command `sequence`, sent by the order's account, cancelled `order`.
ENGINE_ALWAYS_INLINE void WriteCancelled(Event& event, const OrderSlot& order,
                                         SequenceNumber sequence) {
  event.sequence = sequence;
  SetIds(event, PairOf(order.id));
  SetTerms(event, TermsOf(order));
  event.quantity_remaining = Quantity();
  SetOwner(event, OwnerOf(order));
  SetKind(event, EventKind::kCancelled, order.side, static_cast<uint8_t>(CancelReason::kRequested),
          0);
}

// Whether the order is good till cancelled, without flags, and has exactly these marks.
ENGINE_ALWAYS_INLINE bool IsPlain(const OrderSlot& order, uint8_t marks = 0) {
  static_assert(offsetof(OrderSlot, tif) == 61 && offsetof(OrderSlot, flags) == 62);
  uint32_t word = 0;
  std::memcpy(&word, reinterpret_cast<const char*>(&order) + offsetof(OrderSlot, side),
              sizeof(word));
  return word >> 8 ==
         (uint32_t{static_cast<uint8_t>(TimeInForce::kGoodTillCancelled)} | uint32_t{marks} << 16);
}

// Writes that the command amended `order`, which already has its new values.
ENGINE_ALWAYS_INLINE void WriteAmended(Event& event, const OrderSlot& order, const Command& command,
                                       PriorityOutcome priority) {
  event.sequence = command.sequence;
  SetIds(event, PairOf(order.id));
  SetTerms(event, TermsOf(command));
  event.quantity_remaining = order.quantity_remaining;
  SetOwner(event, OwnerOf(order));
  SetKind(event, EventKind::kAmended, order.side, static_cast<uint8_t>(priority), 0);
}

// Sets every field of `order` but links and level.
ENGINE_ALWAYS_INLINE void SetOrder(OrderSlot& order, const EventSubject& of, Quantity remaining,
                                   Quantity filled, TimeInForce tif, uint8_t marks = 0) {
  SetOwner(order, of.owner);
  order.price = of.price;
  order.quantity_remaining = remaining;
  order.quantity_filled = filled;
  order.id = of.order;
  order.priority = of.sequence;
  SetTermsOf(order, of.side, tif, marks);
}

}  // namespace engine::fast_path

#endif  // ENGINE_CORE_FAST_PATH_WIDE_FIELDS_H_
