// What events do to resting orders, as market data shows it: one action for each change of an
// order, in the order of the events.
//
//   accepted 9, bid 7 @ 20.02; trade 5 with order 3     trade   by 9: 5 @ 20.02
//                                                       fill    of 3: 5
//                                                       cancel  3: 5
//                                                       add     9: 2
//
// A trade does not change the book; the cancel after it does, by the same quantity. An order is
// added when its command has ended, with the quantity that then rests. An order that loses its
// priority is cancelled and added. Events that come in parts are accepted.

#ifndef ENGINE_VIEWS_ORDER_ACTIONS_H_
#define ENGINE_VIEWS_ORDER_ACTIONS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "engine/base/dense_id_table.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"

namespace engine {

struct OrderAction {
  enum class Kind : uint8_t {
    kAdd,
    kCancel,  // Of a part or all of the order, also after a trade.
    kModify,  // The quantity is less; the priority is kept. `size` is the new quantity.
    kTrade,   // `order` and `side` are those of the arriving order; of an execution in a mirrored
              // market, its number, and perhaps no side.
    kFill,    // Of a resting order.
  };
  Kind kind = {};
  Side side = {};
  MarketId market = {};
  OrderId order = {};
  Price price = {};
  Quantity size = {};
  SequenceNumber sequence = {};
  Timestamp time = {};

  // What it adds to the level of that price.
  int64_t quantity_change = 0;
  int64_t order_count_change = 0;

  friend bool operator==(const OrderAction&, const OrderAction&) = default;
};

// Not thread-safe: owned by the reader of the log. It receives all events from the beginning, or
// from a state whose orders it knows; an event that contradicts earlier ones is a programming error
// (CHECK).
class OrderActions {
 public:
  using Visit = absl::FunctionRef<void(const OrderAction&)>;

  // An order that rests at the start. REQUIRES: before the first event.
  void Know(OrderId order, MarketId market, Side side, Price price, Quantity remaining);

  // Takes all events of the next command, or a part of them.
  void Take(const Command& command, std::span<const Event> events, Visit visit);

  // Ends the last command: its order is added if it rests. Take() does this for the one before.
  void Finish(Visit visit);

 private:
  struct Resting {
    Price price = {};
    Quantity remaining = {};
    MarketId market = {};
    Side side = {};
    uint32_t next_free = 0;
  };

  void TakeEvent(const Event& event, Visit visit);
  void Arrive(const Event& event);
  void Trade(const Event& event, Visit visit);
  // A resting order now has less; zero removes it.
  void Lower(OrderId order, Quantity remaining, OrderAction::Kind kind, Visit visit);
  OrderAction ActionOf(OrderAction::Kind kind, OrderId order, const Resting& resting,
                       Quantity size) const;

  std::vector<Resting> pool_;
  uint32_t free_first_ = DenseIdTable::kNone;
  DenseIdTable places_;  // Indices into the pool.

  SequenceNumber sequence_;  // Of the command whose events arrive.
  Timestamp time_;
  OrderId arriving_;  // The order of that command; zero if there is none.
  Resting arrival_;
};

}  // namespace engine

#endif  // ENGINE_VIEWS_ORDER_ACTIONS_H_
