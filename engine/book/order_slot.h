// The memory layout of resting orders and price levels.
//
//   a queue is a circular list through its level, so that neither end of it is a special case:
//
//        ┌──────────────────────────────────────────────┐
//        └─► level ◄──► order ◄──► order ◄──► order ◄────┘     level.next: the first to trade
//           32 bytes   64 bytes                                level.prev: the last to arrive
//
//   order    0 next, prev   8 account, market   16 price   24 remaining   32 id   40 filled
//           48 priority    56 level             60 side  tif  flags  marks
//   level    0 next, prev   8 rank    16 quantity  24 market      28 side
//
// An order is one cache line: a cancel misses once. Fields that few orders have are stored
// separately (OrderExtras), and a mark shows that the order has them.

#ifndef ENGINE_BOOK_ORDER_SLOT_H_
#define ENGINE_BOOK_ORDER_SLOT_H_

#include <cstdint>
#include <type_traits>

#include "engine/base/sequence_number.h"
#include "engine/base/strong_int.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "engine/types/money.h"
#include "engine/types/order_flags.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"

namespace engine {

// The address of an order or a level in a BookStorage. Zero is the null slot ("nowhere" in names).
using Slot = StrongInt<struct SlotTag, uint32_t>;

struct QueueLinks {
  Slot next;
  Slot prev;
};

// What must be undone outside the book when an order leaves it, one bit each. An order without
// marks has nothing to undo.
class OrderMarks {
 public:
  static constexpr uint8_t kExtras = 1;    // It has OrderExtras.
  static constexpr uint8_t kMoney = 2;     // Its market is binary: money is reserved for it.
  static constexpr uint8_t kCounted = 4;   // Its account's orders are counted.
  static constexpr uint8_t kSummed = 8;    // The state digest's sum includes its current state.
  static constexpr uint8_t kNowhere = 16;  // It is the null slot, not an order.
  static constexpr uint8_t kSession = 32;  // A pause or the close of its market may cancel it.
  static constexpr uint8_t kPositionLimited = 64;  // It counts for its account's position limit.

  bool any() const { return bits_ != 0; }
  bool has(uint8_t mark) const { return (bits_ & mark) != 0; }
  bool has_only(uint8_t mark) const { return bits_ == mark; }
  void Set(uint8_t mark) { bits_ = static_cast<uint8_t>(bits_ | mark); }
  void Clear(uint8_t mark) { bits_ = static_cast<uint8_t>(bits_ & ~mark); }

 private:
  uint8_t bits_ = 0;
};

struct OrderSlot {
  QueueLinks links;
  AccountId account;
  MarketId market;
  Price price;
  Quantity quantity_remaining;
  OrderId id;
  Quantity quantity_filled;
  SequenceNumber priority;
  Slot level;  // Valid while it rests.
  Side side = {};
  TimeInForce tif = {};
  OrderFlags flags;
  OrderMarks marks;

  Quantity quantity_total() const { return quantity_filled + quantity_remaining; }
};
static_assert(sizeof(OrderSlot) == 64 && std::is_trivially_copyable_v<OrderSlot>);
static_assert(std::is_standard_layout_v<OrderSlot>, "its links are where it begins");

// Fields as in RestingOrder.
struct OrderExtras {
  Timestamp expires_at;
  Money credit;
  GroupId group;
};

struct PriceLevel {
  QueueLinks links;   // An empty level links to itself.
  int64_t rank = 0;   // See PriceLadder.
  Quantity quantity;  // The remaining quantity of all its orders.
  MarketId market;
  Side side = {};
};
static_assert(sizeof(PriceLevel) == 32 && std::is_trivially_copyable_v<PriceLevel>);
static_assert(std::is_standard_layout_v<PriceLevel>, "its links are where it begins");

}  // namespace engine

#endif  // ENGINE_BOOK_ORDER_SLOT_H_
