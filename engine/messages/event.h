// An event of the exchange: one flat 64-byte value. Every command causes at least one.
//
//   word 0  sequence            of the command that caused it
//   word 1  order_id            the order that the event is about; in a trade, the maker
//   word 2  counter_order_id    in a trade, the taker; in a replace, the order that it ended
//   word 3  price
//   word 4  quantity            the quantity accepted, traded, cancelled, removed or amended to
//   word 5  quantity_remaining  of order_id, after the event
//   word 6  account             market
//   word 7  index               kind  side  detail
//
// An event's time is the timestamp of its command. account and side are those of order_id.

#ifndef ENGINE_MESSAGES_EVENT_H_
#define ENGINE_MESSAGES_EVENT_H_

#include <cstdint>
#include <type_traits>

#include "engine/base/sequence_number.h"
#include "engine/messages/kinds.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/lifecycle.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"

namespace engine {

// A regular value type.
struct Event {
  SequenceNumber sequence;
  OrderId order_id;
  OrderId counter_order_id;
  Price price;
  Quantity quantity;
  Quantity quantity_remaining;
  AccountId account;
  MarketId market;
  uint32_t index = 0;  // Position among the events of its command, from 0.
  EventKind kind = {};
  Side side = {};
  uint8_t detail = 0;

  // The meanings of the words for kinds about money, positions and groups. balance and reserved are
  // the values after the event; the fee is part of the change.
  Money change() const { return Money::FromMicros(price.units()); }
  Money fee() const { return Money::FromMicros(static_cast<int64_t>(quantity.units())); }
  Money balance() const {
    return Money::FromMicros(static_cast<int64_t>(counter_order_id.value()));
  }
  Money reserved() const {
    return Money::FromMicros(static_cast<int64_t>(quantity_remaining.units()));
  }
  int64_t position() const { return price.units(); }
  GroupId group() const { return GroupId(static_cast<uint32_t>(order_id.value())); }

  // REQUIRES: the event's kind has this detail.
  RejectReason reject_reason() const { return static_cast<RejectReason>(detail); }
  CancelReason cancel_reason() const { return static_cast<CancelReason>(detail); }
  PriorityOutcome priority() const { return static_cast<PriorityOutcome>(detail); }
  MarketState market_state() const { return static_cast<MarketState>(detail); }
  ExchangeState exchange_state() const { return static_cast<ExchangeState>(detail); }

  friend bool operator==(const Event&, const Event&) = default;
};

static_assert(sizeof(Event) == 64);
static_assert(std::has_unique_object_representations_v<Event>, "padding would reach digests");
static_assert(std::is_trivially_copyable_v<Event>);

}  // namespace engine

#endif  // ENGINE_MESSAGES_EVENT_H_
