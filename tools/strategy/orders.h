// The orders of a strategy: what it wants, and what the venue has of it.
//
//   Quote(ACME, bid, 0, 20.01, 100) ─► wanted ─┐
//                                              ├─ differ? ─► new order · amend · cancel
//   accepted · filled · cancelled ···· ─► order ┘   one request at a time for each order
//
// The states of an order, and what each answer does (. nothing):
//
//                 accepted  refused  amended   request refused   filled  cancelled  found  down up
//     sent        live      ended    live      .                 less*   ended      live   unsure .
//     live        .         ended    live      .                 less*   ended      live   unsure .
//     amending    .         ended    live      live, ended**     less*   ended      live   unsure .
//     cancelling  .         ended    less      live, ended**     less*   ended      live   unsure .
//     unsure      live      ended    live      .                 less*   ended      live   . ended
//     ended       .         .        .         .                 .       .          cancelled again
//
//     *  ended if nothing remains      ** ended if the order is not known there
//
// `down` and `up` are states of the connection: when it is up again, every order that the venue
// still has was found, so one that is unsure has ended.

#ifndef TOOLS_STRATEGY_ORDERS_H_
#define TOOLS_STRATEGY_ORDERS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/id_table.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "engine/types/order_flags.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "tools/strategy/action.h"
#include "tools/strategy/input.h"

namespace strategy {

enum class OrderState : uint8_t { kEnded, kSent, kLive, kAmending, kCancelling, kUnsure };

// A regular value type.
struct Order {
  OrderNumber number = {};
  engine::MarketId market = {};
  engine::Side side = {};
  engine::TimeInForce tif = {};
  engine::OrderFlags flags = {};
  OrderState state = {};
  bool wants_cancel = false;
  engine::Price price = {};         // As the venue has it, or was asked to.
  engine::Quantity remaining = {};  // The same.
  engine::Quantity asked = {};      // By the amend on its way; else zero.
  engine::Quantity filled = {};

  // What may come of it at most.
  engine::Quantity exposure() const { return remaining < asked ? asked : remaining; }
  bool is_live() const { return state != OrderState::kEnded; }
};

// A new order of its own, not one that a quote asks for.
struct NewOrder {
  engine::MarketId market = {};
  engine::Side side = {};
  engine::Price price = {};
  engine::Quantity quantity = {};
  engine::TimeInForce tif = engine::TimeInForce::kImmediateOrCancel;
  engine::OrderFlags flags = {};
  engine::Timestamp expires = {};
};

// What may leave, and where to.
class OrderHost {
 public:
  virtual ~OrderHost() = default;

  // How much may be sent of an order that would be `quantity` in all, and has an exposure of
  // `exposure` now; zero: nothing may leave now.
  virtual engine::Quantity MayHave(engine::MarketId market, engine::Side side,
                                   engine::Quantity quantity, engine::Quantity exposure) = 0;
  // Whether one more request may leave now; each true counts. False: not before NextRequest().
  virtual bool TakeRequest() = 0;
  virtual engine::Timestamp NextRequest() const = 0;
  virtual void Emit(const Action& action) = 0;
};

// Not thread-safe: owned by the desk. Nothing is allocated once as many orders and markets were
// seen as will be.
class Orders {
 public:
  static constexpr size_t kQuoteLevels = 16;    // For each side of a market.
  static constexpr size_t kOrdersMax = 65'536;  // At a time.
  // Orders are numbered by market, so that they have the same number without what happens
  // elsewhere: those of market 1 from 1 on, those of market 7 from 6'000'000'001 on.
  static constexpr uint64_t kNumbersOfMarket = 1'000'000'000;
  // How long a quote waits whose request did not get through, or whose change was refused.
  static constexpr int64_t kRetryNanos = 1'000'000'000;

  explicit Orders(OrderHost& host) : host_(host) {}
  Orders(const Orders&) = delete;
  Orders& operator=(const Orders&) = delete;

  // `market_index`: dense, from 0; quotes of a market are found by it.
  void AddMarket(size_t market_index, engine::MarketId market);

  // Wants an order of that price and remaining quantity at the level's place; zero: none. Flags
  // hold for the order that it makes next. REQUIRES: level < kQuoteLevels.
  void Quote(size_t market_index, engine::Side side, size_t level, engine::Price price,
             engine::Quantity quantity, engine::OrderFlags flags);
  void PullQuotes(size_t market_index);

  // Sends the order, or less of it; OrderNumber() if nothing may leave.
  OrderNumber Send(size_t market_index, const NewOrder& order);
  // Asks for its end; if a request is on its way, once that is answered. Other numbers do nothing.
  void Cancel(OrderNumber number);
  // Wants nothing: pulls all quotes, cancels all orders.
  void CancelAll();

  // An answer of the venue; a fill says what was filled of the order. Returns the order as it was
  // left, valid until the next call; null if it is none of this run.
  const Order* OnAnswer(const Input& input, engine::Timestamp now);
  void OnConnection(ConnectionState state);

  // Emits what makes the orders what is wanted, as far as it may leave.
  void Reconcile(engine::Timestamp now) {
    if (!dirty_.empty() || now >= retry_at_) ReconcileAll(now);
  }
  // All quotes are looked at again by the next Reconcile(): more may leave than before.
  void LookAgain();
  // When a quote is tried again; Max() if none waits.
  engine::Timestamp retry_at() const { return retry_at_; }

  // Null if it has ended or is none of this run.
  const Order* Find(OrderNumber number) const;
  // The exposure of all live orders of a side of the market.
  engine::Quantity Exposure(size_t market_index, engine::Side side) const {
    return exposures_[PlaceOf(market_index, side)];
  }
  // What the orders of quotes have at the price, as far as it is known.
  engine::Quantity QuotedAt(size_t market_index, engine::Side side, engine::Price price) const;
  // In the order of their places, ended ones included.
  std::span<const Order> all() const { return orders_; }
  size_t live_count() const { return live_count_; }

  // CHECKs that sums, quotes and orders belong together.
  void CheckInvariants() const;

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};

  struct QuotePlace {
    engine::MarketId market = {};
    engine::Side side = {};
    bool is_dirty = false;
    bool is_held = false;  // Its request was refused, until something else is wanted.
    uint32_t order = kNone;
    engine::Price price = {};
    engine::Quantity quantity = {};
    engine::OrderFlags flags = {};
  };
  // What belongs to an order besides.
  struct Place {
    uint32_t quote = kNone;
    uint32_t market_index = 0;
    // What the quote wanted when the venue was asked for it, and in the amend on its way.
    engine::Quantity quoted = {};
    engine::Quantity asked = {};
  };

  static size_t PlaceOf(size_t market_index, engine::Side side) {
    return 2 * market_index + (side == engine::Side::kAsk ? 1 : 0);
  }
  // kNone if it has ended or is none of this run.
  uint32_t SlotOf(OrderNumber number) const;

  void ReconcileAll(engine::Timestamp now);
  void ReconcileQuote(uint32_t quote);
  void MarkDirty(uint32_t quote);
  void HoldQuote(uint32_t quote, bool is_tried_again, engine::Timestamp now);

  // The slot of the order that was sent; kNone if nothing may leave.
  uint32_t Make(size_t market_index, const NewOrder& order);
  void Amend(uint32_t slot, engine::Price price, engine::Quantity wanted);
  void CancelSlot(uint32_t slot);
  void Emit(ActionKind kind, const Order& order, engine::Price price, engine::Quantity quantity,
            engine::Timestamp expires = {});

  // Sets what may come of the order.
  void SetExposure(uint32_t slot, engine::Quantity remaining, engine::Quantity asked);
  void End(uint32_t slot);
  // Back to live: what waited for the answer is done.
  void SetLive(uint32_t slot);

  OrderHost& host_;
  std::vector<Order> orders_;
  std::vector<Place> places_;
  std::vector<uint32_t> free_;
  std::vector<QuotePlace> quotes_;
  std::vector<size_t> level_counts_;  // Of each side of a market: levels that were ever quoted.
  std::vector<uint32_t> dirty_;
  std::vector<uint32_t> now_dirty_;  // Those that are reconciled now.
  std::vector<engine::Quantity> exposures_;
  engine::IdTable slots_;               // Of live orders, by number.
  std::vector<uint64_t> last_numbers_;  // Of each market.
  engine::Timestamp retry_at_ = engine::Timestamp::Max();
  bool is_up_ = false;
  size_t live_count_ = 0;
};

}  // namespace strategy

#endif  // TOOLS_STRATEGY_ORDERS_H_
