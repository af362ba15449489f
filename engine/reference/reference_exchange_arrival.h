// An order of the reference exchange on its way into the book. Private to its sources.

#ifndef ENGINE_REFERENCE_REFERENCE_EXCHANGE_ARRIVAL_H_
#define ENGINE_REFERENCE_REFERENCE_EXCHANGE_ARRIVAL_H_

#include <optional>

#include "engine/messages/command.h"
#include "engine/reference/reference_exchange.h"
#include "engine/state/resting_order.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"

namespace engine {

struct ReferenceExchange::Arrival {
  RestingOrder order;
  CommandKind kind = {};        // New, replace or amend.
  std::optional<Price> limit;   // Nullopt: a market order.
  std::optional<Quantity> cap;  // The most that a reduce-only order may trade.
  Price worst_price;            // The limit, or the worst price of the market for its side.
  bool met_own_order = false;   // Self-trade prevention ended it.

  Quantity asked() const { return order.quantity_total(); }
  bool Accepts(Price price) const {
    if (!limit.has_value()) return true;
    return order.side == Side::kBid ? price <= *limit : price >= *limit;
  }
  // Whether it continues to trade after an own order.
  bool goes_on_after_own() const {
    return order.flags.self_trade_prevention() == SelfTradePrevention::kCancelMaker;
  }
  bool prevents_self_trade() const {
    return order.flags.self_trade_prevention() != SelfTradePrevention::kNone &&
           order.account != AccountId();
  }
  // Whether self-trade prevention keeps it from trading with `other`.
  bool Avoids(const RestingOrder& other) const {
    return prevents_self_trade() && order.account == other.account;
  }
};

// Which values of a command are valid: written here a second time (RULES.md, 2).
constexpr bool IsSide(Side side) { return side == Side::kBid || side == Side::kAsk; }
constexpr bool IsOrderType(OrderType type) {
  return type == OrderType::kLimit || type == OrderType::kMarket;
}
constexpr bool IsTimeInForce(TimeInForce tif) {
  switch (tif) {
    case TimeInForce::kGoodTillCancelled:
    case TimeInForce::kGoodTillTime:
    case TimeInForce::kDay:
    case TimeInForce::kImmediateOrCancel:
    case TimeInForce::kFillOrKill:
      return true;
  }
  return false;
}
// Whether what does not trade on arrival rests.
constexpr bool MayRest(TimeInForce tif) {
  return IsTimeInForce(tif) && tif != TimeInForce::kImmediateOrCancel &&
         tif != TimeInForce::kFillOrKill;
}

// Returns the reason from the calling function, if there is one.
#define REFUSE_IF(reason_expression)                                      \
  do {                                                                    \
    const RejectReason refuse_if_reason = (reason_expression);            \
    if (refuse_if_reason != RejectReason::kNone) return refuse_if_reason; \
  } while (false)

}  // namespace engine

#endif  // ENGINE_REFERENCE_REFERENCE_EXCHANGE_ARRIVAL_H_
