// What only an exchange can answer about its state: markets and orders.

#ifndef REPLAY_EXCHANGE_STATE_H_
#define REPLAY_EXCHANGE_STATE_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "engine/base/check.h"
#include "engine/messages/market_directory.h"
#include "engine/state/resting_order.h"
#include "engine/types/ids.h"
#include "engine/types/side.h"
#include "replay/machine.h"

namespace replay {

// A machine that is an exchange implements it too. Not thread-safe.
class ExchangeState {
 public:
  virtual ~ExchangeState() = default;

  // The number of orders in the books.
  virtual uint64_t live_order_count() const = 0;

  // Visits the live orders of one side of one market in priority order.
  virtual void VisitOrders(engine::MarketId market, engine::Side side,
                           absl::FunctionRef<void(const engine::RestingOrder&)> visit) const = 0;

  // The same for all orders of one market, bids first, and of all markets.
  void VisitOrdersOf(engine::MarketId market,
                     absl::FunctionRef<void(const engine::RestingOrder&)> visit) const {
    VisitOrders(market, engine::Side::kBid, visit);
    VisitOrders(market, engine::Side::kAsk, visit);
  }
  void VisitAllOrders(absl::FunctionRef<void(const engine::RestingOrder&)> visit) const {
    for (const auto& [market, definition] : markets().all()) VisitOrdersOf(market, visit);
  }

  // The markets that are defined.
  virtual const engine::MarketDirectory& markets() const = 0;
};

// Null if `machine` is not an exchange.
inline const ExchangeState* FindExchange(const Machine& machine) {
  return dynamic_cast<const ExchangeState*>(&machine);
}

// REQUIRES: `machine` is an exchange.
inline const ExchangeState& ExchangeOf(const Machine& machine) {
  const ExchangeState* const exchange = FindExchange(machine);
  CHECK(exchange != nullptr) << machine.name() << " is not an exchange";
  return *exchange;
}
}  // namespace replay

#endif  // REPLAY_EXCHANGE_STATE_H_
