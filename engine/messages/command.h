// What the exchange is asked: one flat 64-byte value.
//
//   word 0  sequence          stamped by the sequencer
//   word 1  timestamp         stamped by the sequencer
//   word 2  order_id          the order that is cancelled, reduced, replaced or amended
//   word 3  price
//   word 4  quantity
//   word 5  client_order_id   the client's own key; the core never reads it
//   word 6  account           market
//   word 7  kind              side  type  tif  reserved (0)
//
// The layout is the same in memory, in the journal's rows and, as struct Command of messages.capnp,
// on disk: appending is a store, reading is a pointer. What needs text or length travels as the
// record's attachment (define market).

#ifndef ENGINE_MESSAGES_COMMAND_H_
#define ENGINE_MESSAGES_COMMAND_H_

#include <array>
#include <cstdint>
#include <type_traits>

#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"

namespace engine {

// Do not renumber: in the journal. Each line names the fields the kind reads beside market and
// account.
enum class CommandKind : uint16_t {
  kDefineMarket = 1,  // The attachment: a MarketDefinition whose id is `market`.
  kNewOrder = 2,  // side, type, tif, price (limit), quantity. Its sequence becomes the order's id.
  kCancel = 3,    // order_id.
  kReduce = 4,    // order_id, quantity: how much less.
  kReplace = 5,   // order_id, price, quantity: cancels it and adds a good-till-cancelled limit
                  // order of the same side and account under a new id, in one step.
  kAmend = 6,     // order_id, price, quantity: what it should have been for, filled part included.
  kAdvanceTime = 7,  // Nothing but its timestamp.
};

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
  Side side = {};
  OrderType type = {};
  TimeInForce tif = {};
  std::array<uint8_t, 3> reserved = {};

  friend bool operator==(const Command&, const Command&) = default;
};

static_assert(sizeof(Command) == 64);
static_assert(std::has_unique_object_representations_v<Command>, "padding would reach digests");
static_assert(std::is_trivially_copyable_v<Command>);

}  // namespace engine

#endif  // ENGINE_MESSAGES_COMMAND_H_
