// What the author of a strategy derives from.
//
//   class JoinTheBid final : public strategy::Strategy {
//     void OnBook(engine::MarketId market) override {
//       const strategy::Book::Level* const best = book(market).best(engine::Side::kBid);
//       if (best != nullptr) Quote(market, engine::Side::kBid, best->price, size_.In(market));
//     }
//     strategy::Parameter size_{*this, "size", {.value = 100, .low = 1}};
//   };
//
// A strategy is a function of its inputs: it reads no clock, no file, no environment, keeps no
// pointers that decide anything, and iterates over no hash map. Then each run can be repeated from
// its journal. Nothing is to be allocated in the functions that it overrides.
//
// The desk (desk.h) calls them and keeps what is maintained for it. What a strategy asks for leaves
// after the function has returned, for quotes, or immediately, for orders that it sends itself.

#ifndef TOOLS_STRATEGY_STRATEGY_H_
#define TOOLS_STRATEGY_STRATEGY_H_

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/order_flags.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "tools/strategy/book.h"
#include "tools/strategy/input.h"
#include "tools/strategy/orders.h"
#include "tools/strategy/parameters.h"
#include "tools/strategy/position.h"

namespace strategy {

class Desk;

// The number of a timer, chosen by the strategy.
using TimerId = engine::StrongInt<struct TimerIdTag, uint32_t>;

struct Trade {
  engine::Price price = {};
  engine::Quantity quantity = {};
  engine::Side taker = {};  // Side() if it is not known.
};

// What happened to an order of the strategy.
struct OrderUpdate {
  InputKind kind = {};             // From kOrderAccepted to kOrderFound.
  const Order* order = nullptr;    // As it is left; valid during the call.
  engine::Price price = {};        // Of a fill.
  engine::Quantity quantity = {};  // The same.
  engine::Money fee = {};          // The same.
  Refusal refusal = {};            // Of what was refused.
};

// Not thread-safe: owned by the machine, and called by its desk only.
class Strategy {
 public:
  virtual ~Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;

  Parameters& parameters() { return parameters_; }
  const Parameters& parameters() const { return parameters_; }

 protected:
  Strategy() = default;

  // A market is known from now on; its book is empty and stale.
  virtual void OnMarket(engine::MarketId /*market*/) {}
  // The book has changed as the venue published it, in one piece; or it has become stale.
  virtual void OnBook(engine::MarketId /*market*/) {}
  virtual void OnTrade(engine::MarketId /*market*/, const Trade& /*trade*/) {}
  virtual void OnOrder(const OrderUpdate& /*update*/) {}
  virtual void OnTimer(TimerId /*timer*/) {}
  virtual void OnConnection(ConnectionState /*state*/) {}
  // A parameter has another value.
  virtual void OnParameter(absl::string_view /*name*/) {}

  // The time of the input that is handled.
  engine::Timestamp now() const;
  ConnectionState connection() const;
  // Whether the market is known. Those below require it, in every `market`.
  bool Knows(engine::MarketId market) const;
  const engine::MarketDefinition& definition(engine::MarketId market) const;
  const Book& book(engine::MarketId market) const;
  // The best level that has more than the quotes of the strategy; null if there is none. A quote
  // that follows a mid which it is part of follows itself.
  const Book::Level* best_of_others(engine::MarketId market, engine::Side side) const;
  const Position& position(engine::MarketId market) const;
  // At the mid of the book, the last one if it has none now; and the sum over all markets.
  engine::Money profit(engine::MarketId market) const;
  engine::Money profit() const;

  // Wants an order to rest there, and sends what that takes. It is one order for each
  // market, side and level. A fill in part leaves it in its queue, after a full one it is sent
  // again. Quantity 0 wants none.
  void Quote(engine::MarketId market, engine::Side side, engine::Price price,
             engine::Quantity quantity, size_t level = 0, engine::OrderFlags flags = {});
  // Wants no quotes in the market.
  void PullQuotes(engine::MarketId market);

  // Sends an order of its own. OrderNumber() if nothing may leave now.
  OrderNumber Send(const NewOrder& order);
  void Cancel(OrderNumber order);
  // Wants nothing any more: pulls all quotes, cancels all orders.
  void CancelAll();
  // Cancels all, and sends no new order any more.
  void Stop();
  bool is_stopped() const;
  const Orders& orders() const;
  // Whether an order of the strategy in the market is live or on its way.
  bool has_order(engine::MarketId market) const;

  // Calls OnTimer(timer) before the first input at or after the time. A timer has one time.
  void SetTimer(TimerId timer, engine::Timestamp at);
  void CancelTimer(TimerId timer);

  // For people, and for tools that compare runs.
  void Log(absl::string_view text);
  // `name`: at most Action::kTextBytes bytes, the rest is cut off.
  void Metric(absl::string_view name, int64_t value);

 private:
  friend class Desk;
  friend class Parameter;

  Parameters parameters_;
  Desk* desk_ = nullptr;  // Set by the desk.
};

// A parameter as a member of its strategy.
class Parameter {
 public:
  Parameter(Strategy& strategy, absl::string_view name, const ParameterTerms& terms)
      : strategy_(strategy), entry_(strategy.parameters().Add(name, terms)) {}

  // In units of its decimals.
  int64_t value() const { return entry_.value; }
  bool is_on() const { return entry_.value != 0; }
  // In units of the market, rounded down: its quantity, and its price or a difference of prices.
  engine::Quantity In(engine::MarketId market) const;
  int64_t PriceUnitsIn(engine::MarketId market) const;

 private:
  Strategy& strategy_;
  const Parameters::Entry& entry_;
};

}  // namespace strategy

#endif  // TOOLS_STRATEGY_STRATEGY_H_
