// What the exchange says: one flat 64-byte value. Every command causes at least one.
//
//   word 0  sequence            of the command that caused it
//   word 1  order_id            the order it is about; of a trade, the maker
//   word 2  counter_order_id    of a trade, the taker; of a replace, the order that it ended
//   word 3  price
//   word 4  quantity            how much was accepted, traded, cancelled, removed, amended to
//   word 5  quantity_remaining  of order_id, afterwards
//   word 6  account             market
//   word 7  index               kind  side  detail
//
// Events carry no time: it is that of their command. account and side are those of order_id.

#ifndef ENGINE_MESSAGES_EVENT_H_
#define ENGINE_MESSAGES_EVENT_H_

#include <cstdint>
#include <type_traits>

#include "engine/base/sequence_number.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/lifecycle.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"

namespace engine {

// Do not renumber: in event streams and trace digests.
enum class EventKind : uint16_t {
  kMarketDefined = 1,  // market.
  kAccepted = 2,   // A new order; quantity is what it asked for, before any trade of its arrival.
  kTrade = 3,      // At the maker's price; quantity_remaining is the maker's.
  kCancelled = 4,  // detail: CancelReason; quantity is what was cancelled.
  kReduced = 5,    // quantity is how much less; priority is kept.
  kReplaced = 6,   // counter_order_id has ended, order_id is new with quantity at price.
  kAmended = 7,    // detail: PriorityOutcome; quantity includes the filled part.
  kTimeAdvanced = 8,
  kRejected = 9,        // detail: RejectReason; order_id is the one the command named, if any.
  kMarketState = 10,    // detail: MarketState, the new one.
  kDetermined = 11,     // price: what one contract settles to.
  kExchangeState = 12,  // detail: ExchangeState, the new one.
  kAccountOpened = 13,  //
  kBalance = 14,   // change, fee, balance, reserved (see below); order_id where an order caused it.
  kPosition = 15,  // position, signed, afterwards; quantity is by how much it changed.
  kLimitsSet = 16,      //
  kFeesSet = 17,        //
  kGroupDefined = 18,   // group, quantity: the limit.
  kGroupReset = 19,     // group.
  kGroupTripped = 20,   // group, quantity: what traded within the window.
  kMassCancelled = 21,  // quantity: how many orders.
};

inline constexpr EventKind kLastEventKind = EventKind::kMassCancelled;

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
  uint32_t index = 0;  // Its place among the events of its command, from 0.
  EventKind kind = {};
  Side side = {};
  uint8_t detail = 0;

  // What the words mean for kinds that are about money, positions and groups. change, balance and
  // reserved are after the event; the fee is part of the change.
  Money change() const { return Money::FromMicros(price.units()); }
  Money fee() const { return Money::FromMicros(static_cast<int64_t>(quantity.units())); }
  Money balance() const {
    return Money::FromMicros(static_cast<int64_t>(counter_order_id.value()));
  }
  Money reserved() const {
    return Money::FromMicros(static_cast<int64_t>(quantity_remaining.units()));
  }
  int64_t position() const { return price.units(); }
  GroupId group() const { return GroupId(static_cast<uint16_t>(order_id.value())); }

  // REQUIRES: kind is the one that has it.
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
