// Writes the events that several kinds of commands emit: one function for each kind of event.

#ifndef ENGINE_CORE_ORDER_EVENTS_H_
#define ENGINE_CORE_ORDER_EVENTS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/base/inline.h"
#include "engine/base/sequence_number.h"
#include "engine/book/order_book.h"
#include "engine/book/order_slot.h"
#include "engine/core/ledger.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/fields.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"

namespace engine {

// ---- Several small fields as one word, each byte written once.

// Account and market of a command, order or event.
template <typename T>
ENGINE_ALWAYS_INLINE uint64_t OwnerOf(const T& of) {
  static_assert(offsetof(T, market) == offsetof(T, account) + sizeof(AccountId));
  uint64_t word = 0;
  std::memcpy(&word, reinterpret_cast<const char*>(&of) + offsetof(T, account), sizeof(word));
  return word;
}
template <typename T>
ENGINE_ALWAYS_INLINE void SetOwner(T& of, uint64_t owner) {
  std::memcpy(reinterpret_cast<char*>(&of) + offsetof(T, account), &owner, sizeof(owner));
}
constexpr uint64_t OwnerOf(AccountId account, MarketId market) {
  return uint64_t{account.value()} | uint64_t{market.value()} << 32;
}

// Index, kind, side and detail of an event.
ENGINE_ALWAYS_INLINE void SetKind(Event& event, EventKind kind, Side side, uint8_t detail,
                                  uint32_t index) {
  static_assert(offsetof(Event, index) == 56 && offsetof(Event, kind) == 60 &&
                offsetof(Event, side) == 62 && offsetof(Event, detail) == 63);
  const uint64_t word = uint64_t{index} | uint64_t{static_cast<uint16_t>(kind)} << 32 |
                        uint64_t{static_cast<uint8_t>(side)} << 48 | uint64_t{detail} << 56;
  std::memcpy(reinterpret_cast<char*>(&event) + offsetof(Event, index), &word, sizeof(word));
}

// The fields of an event that WriteEvent takes together.
struct EventSubject {
  SequenceNumber sequence;
  OrderId order = {};
  OrderId counter_order = {};
  Price price = {};
  uint64_t owner = 0;
  Side side = {};
};

// Writes every byte of `event`.
ENGINE_ALWAYS_INLINE void WriteEvent(Event& event, EventKind kind, const EventSubject& of,
                                     Quantity quantity, Quantity remaining, uint8_t detail = 0,
                                     uint32_t index = 0) {
  event.sequence = of.sequence;
  event.order_id = of.order;
  event.counter_order_id = of.counter_order;
  event.price = of.price;
  event.quantity = quantity;
  event.quantity_remaining = remaining;
  SetOwner(event, of.owner);
  SetKind(event, kind, of.side, detail, index);
}

// Appends an event with all its fields.
ENGINE_ALWAYS_INLINE void AppendWhole(EventBuffer& events, EventKind kind, const EventSubject& of,
                                      Quantity quantity, Quantity remaining, uint8_t detail = 0) {
  const auto index = static_cast<uint32_t>(events.size());
  WriteEvent(events.AppendUnset(), kind, of, quantity, remaining, detail, index);
}

// ---- Orders

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
  if (NamesAnOrder(command.kind)) event.order_id = command.order_id;
  event.account = command.account;
  event.market = command.market;
  event.detail = static_cast<uint8_t>(reason);
}

// ---- Trades and money

// The trade of a maker with the order `taker`, which command `sequence` entered or changed.
ENGINE_ALWAYS_INLINE void AppendTrade(EventBuffer& events, const OrderBook::Fill& fill,
                                      OrderId taker, SequenceNumber sequence) {
  const OrderSlot& maker = fill.maker;
  AppendWhole(events, EventKind::kTrade,
              {.sequence = sequence,
               .order = maker.id,
               .counter_order = taker,
               .price = maker.price,
               .owner = OwnerOf(maker),
               .side = maker.side},
              fill.traded, fill.remains);
}

// `of` names the sequence, the account, and the order and market that changed the balance, if any.
// `state` is the account's after the change.
ENGINE_ALWAYS_INLINE void AppendBalance(EventBuffer& events, EventSubject of, Money change,
                                        Money fee, const AccountState& state) {
  of.counter_order = OrderId(static_cast<uint64_t>(state.balance.micros()));
  of.price = Price::FromUnits(change.micros());
  AppendWhole(events, EventKind::kBalance, of,
              Quantity::FromUnits(static_cast<uint64_t>(fee.micros())),
              Quantity::FromUnits(static_cast<uint64_t>(state.reserved.micros())));
}

// The account of `owner` has a new position in the market of `owner`.
ENGINE_ALWAYS_INLINE void AppendPosition(EventBuffer& events, SequenceNumber sequence,
                                         uint64_t owner, int64_t position, Quantity change) {
  AppendWhole(events, EventKind::kPosition,
              {.sequence = sequence, .price = Price::FromUnits(position), .owner = owner}, change,
              Quantity());
}

}  // namespace engine

#endif  // ENGINE_CORE_ORDER_EVENTS_H_
