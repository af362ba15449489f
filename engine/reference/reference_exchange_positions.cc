// Position limits: what they count, and what they refuse.

#include <cstdint>

#include "engine/reference/reference_exchange.h"
#include "engine/reference/reference_exchange_arrival.h"

namespace engine {

RejectReason ReferenceExchange::SetPositionLimit(const Command& command) {
  if (FindMarket(command.market) == nullptr) return RejectReason::kUnknownMarket;
  if (command.account == AccountId()) return RejectReason::kUnknownAccount;
  if (command.quantity > kPositionLimitMax) return RejectReason::kMalformedLimits;
  const HoldingKey key(command.account, command.market);
  if (command.quantity.is_zero()) {
    position_limits_.erase(key);
  } else {
    position_limits_[key].limit = command.quantity;
  }
  Event& event = events_->Append(EventKind::kPositionLimitSet);
  event.account = command.account;
  event.market = command.market;
  event.price = Price::FromUnits(LimitedPosition(command.account, command.market));
  event.quantity = command.quantity;
  return RejectReason::kNone;
}

// The position that a limit counts; zero in a market without money if there is no limit.
int64_t ReferenceExchange::LimitedPosition(AccountId account, MarketId market) const {
  if (markets_.at(market).is_binary()) return Position(account, market);
  const auto found = position_limits_.find({account, market});
  return found == position_limits_.end() ? 0 : found->second.traded;
}

// Counts a fill of `order` where the account has a limit and there is no money.
void ReferenceExchange::CountTraded(const RestingOrder& order, Quantity quantity) {
  const auto found = position_limits_.find({order.account, order.market});
  if (found == position_limits_.end() || markets_.at(order.market).is_binary()) return;
  const auto units = static_cast<int64_t>(quantity.units());
  found->second.traded += order.side == Side::kBid ? units : -units;
}

// Whether the position stays within its limit if all orders of the arrival's side trade, and none
// of the other. What only leaves as much in the book as before, or less, passes.
RejectReason ReferenceExchange::CheckPosition(const Arrival& arrival,
                                              const RestingOrder* instead_of) const {
  const RestingOrder& order = arrival.order;
  const auto found = position_limits_.find({order.account, order.market});
  if (found == position_limits_.end() || order.flags.reduce_only()) return RejectReason::kNone;
  if (instead_of != nullptr && order.quantity_remaining <= instead_of->quantity_remaining) {
    return RejectReason::kNone;
  }
  __int128 open = static_cast<__int128>(order.quantity_remaining.units());
  if (const auto own = orders_of_.find(order.account); own != orders_of_.end()) {
    for (const OrderId id : own->second) {
      const RestingOrder& other = *orders_.at(id);
      const bool is_replaced = instead_of != nullptr && id == instead_of->id;
      if (is_replaced || other.market != order.market || other.side != order.side) continue;
      open += static_cast<__int128>(other.quantity_remaining.units());
    }
  }
  const __int128 position = LimitedPosition(order.account, order.market);
  const __int128 worst = order.side == Side::kBid ? position + open : open - position;
  return worst > static_cast<__int128>(found->second.limit.units()) ? RejectReason::kPositionLimit
                                                                    : RejectReason::kNone;
}

}  // namespace engine
