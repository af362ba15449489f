// A command to the exchange: one flat 64-byte value.
//
//   word 0  sequence          stamped by the sequencer
//   word 1  timestamp         stamped by the sequencer
//   word 2  order_id          the order to cancel, reduce, replace or amend; the expiry time of a
//                             new good-till-time order
//   word 3  price             for some kinds, an amount of money, a time window or an expiry time
//                             (kinds.h)
//   word 4  quantity
//   word 5  client_order_id   the client's own key; the core never reads it
//   word 6  account           market
//   word 7  kind, group_high  side  type  tif  flags  group_low
//
// The layout is the same in memory, in the journal's rows and, as struct Command of messages.capnp,
// on disk: an append is a store, and a read is a pointer. Variable-length data, such as a market
// definition, is the record's attachment.

#ifndef ENGINE_MESSAGES_COMMAND_H_
#define ENGINE_MESSAGES_COMMAND_H_

#include <cstdint>
#include <type_traits>

#include "engine/base/check.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/kinds.h"
#include "engine/types/ids.h"
#include "engine/types/money.h"
#include "engine/types/order_flags.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"

namespace engine {

// A regular value type.
struct Command {
  SequenceNumber sequence;
  Timestamp timestamp;
  OrderId order_id;
  Price price;
  Quantity quantity;
  ClientOrderId client_order_id;
  AccountId account;
  MarketId market;
  CommandKind kind = {};
  uint8_t group_high = 0;  // Of group(). The kind had two bytes once, and this one was zero.
  Side side = {};
  OrderType type = {};
  TimeInForce tif = {};
  OrderFlags flags;
  uint16_t group_low = 0;

  GroupId group() const { return GroupId(uint32_t{group_high} << 16 | group_low); }
  // REQUIRES: at most kGroupIdMax.
  void set_group(GroupId group) {
    CHECK_LE(group, kGroupIdMax);
    group_high = static_cast<uint8_t>(group.value() >> 16);
    group_low = static_cast<uint16_t>(group.value());
  }

  // The meanings of the words of order_id and price for kinds that store something else in them.
  Timestamp expires_at() const {
    return Timestamp::FromNanos(static_cast<int64_t>(order_id.value()));
  }
  void set_expires_at(Timestamp time) { order_id = OrderId(static_cast<uint64_t>(time.nanos())); }
  Timestamp new_expiry() const { return Timestamp::FromNanos(price.units()); }
  void set_new_expiry(Timestamp time) { price = Price::FromUnits(time.nanos()); }
  Money amount() const { return Money::FromMicros(price.units()); }
  void set_amount(Money amount) { price = Price::FromUnits(amount.micros()); }
  int64_t window_nanos() const { return price.units(); }
  void set_window_nanos(int64_t nanos) { price = Price::FromUnits(nanos); }

  friend bool operator==(const Command&, const Command&) = default;
};

static_assert(sizeof(Command) == 64);
static_assert(std::has_unique_object_representations_v<Command>, "padding would reach digests");
static_assert(std::is_trivially_copyable_v<Command>);

}  // namespace engine

#endif  // ENGINE_MESSAGES_COMMAND_H_
