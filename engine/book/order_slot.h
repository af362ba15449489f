// How an order that waits, and a price level, lie in memory.
//
//   a queue is a ring of links through its level, so that neither end of it is a special case:
//
//        ┌──────────────────────────────────────────────┐
//        └─► level ◄──► order ◄──► order ◄──► order ◄────┘     level.next: the first to trade
//           32 bytes   64 bytes                                level.prev: the last that came
//
//   order    0 next, prev   8 account, market   16 price   24 remaining   32 id   40 filled
//           48 priority    56 level             60 side  tif  flags  marks
//   level    0 next, prev   8 rank    16 quantity  24 market      28 side
//
// An order is one cache line: a cancel misses once. What only few orders have is beside it
// (OrderExtras), and a mark says so.

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

// Where an order or a level is, in a BookStorage. Zero is nowhere.
using Slot = StrongInt<struct SlotTag, uint32_t>;

struct QueueLinks {
  Slot next;
  Slot prev;
};

// What leaving the book means for an order beyond the book, one bit each: an order without marks
// has nothing to undo.
class OrderMarks {
 public:
  static constexpr uint8_t kExtras = 1;    // It has OrderExtras.
  static constexpr uint8_t kMoney = 2;     // Its market is binary: something is reserved for it.
  static constexpr uint8_t kCounted = 4;   // Its account's orders are counted.
  static constexpr uint8_t kSummed = 8;    // It is in the sum of the state digest, as it stands.
  static constexpr uint8_t kNowhere = 16;  // It is no order at all.

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
  Slot level;  // While it rests.
  Side side = {};
  TimeInForce tif = {};
  OrderFlags flags;
  OrderMarks marks;

  Quantity quantity_total() const { return quantity_filled + quantity_remaining; }
};
static_assert(sizeof(OrderSlot) == 64 && std::is_trivially_copyable_v<OrderSlot>);
static_assert(std::is_standard_layout_v<OrderSlot>, "its links are where it begins");

// As in RestingOrder.
struct OrderExtras {
  Timestamp expires_at;
  Money credit;
  GroupId group;
};

struct PriceLevel {
  QueueLinks links;   // Of an empty level, itself.
  int64_t rank = 0;   // See PriceLadder.
  Quantity quantity;  // The sum over its orders.
  MarketId market;
  Side side = {};
};
static_assert(sizeof(PriceLevel) == 32 && std::is_trivially_copyable_v<PriceLevel>);
static_assert(std::is_standard_layout_v<PriceLevel>, "its links are where it begins");

}  // namespace engine

#endif  // ENGINE_BOOK_ORDER_SLOT_H_
