// An order that rests in a book, as a value.

#ifndef ENGINE_STATE_RESTING_ORDER_H_
#define ENGINE_STATE_RESTING_ORDER_H_

#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "engine/types/money.h"
#include "engine/types/order_flags.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"

namespace engine {

// A regular value type.
struct RestingOrder {
  OrderId id;

  // The sequence number of the command that gave the order its priority: the one that created it,
  // or the last that made it lose its priority. Within a price level, the earlier priority trades
  // first.
  SequenceNumber priority;

  Price price;
  Quantity quantity_remaining;  // Not zero.
  Quantity quantity_filled;     // Since it was created.
  AccountId account;
  MarketId market;
  Side side = {};

  TimeInForce tif = TimeInForce::kGoodTillCancelled;  // One that lets the order rest.
  OrderFlags flags = {};
  GroupId group = {};
  Timestamp expires_at = {};  // Of a good-till-time order; else zero.
  Money credit = {};          // Owed by rounding: 0 to 10^-4 dollar, exclusive (RULES.md, Money).

  // The total quantity, filled part included.
  Quantity quantity_total() const { return quantity_filled + quantity_remaining; }

  friend bool operator==(const RestingOrder&, const RestingOrder&) = default;
};

}  // namespace engine

#endif  // ENGINE_STATE_RESTING_ORDER_H_
