#include "engine/core/risk_control.h"

#include "engine/base/check.h"
#include "engine/core/fault.h"
#include "engine/types/money.h"

namespace engine {
namespace {

constexpr int64_t kNanosPerSecond = 1'000'000'000;
constexpr int kMicroDecimals = 6;

// Price × quantity in micro-dollars, rounded towards zero.
__int128 NotionalMicros(const MarketDefinition& market, Price price, Quantity quantity) {
  __int128 notional = static_cast<__int128>(price.units()) * quantity.units();
  int exponent = kMicroDecimals - market.price_decimals - market.quantity_decimals;
  for (; exponent > 0; --exponent) notional *= 10;
  for (; exponent < 0; ++exponent) notional /= 10;
  return notional;
}

}  // namespace

int64_t SecondOf(Timestamp time) {
  const int64_t nanos = time.nanos();
  return nanos / kNanosPerSecond - (nanos % kNanosPerSecond < 0 ? 1 : 0);
}

RejectReason RiskControl::CheckLimited(const Wish& wish) const {
  const auto found = accounts_.find(wish.account);
  if (found == accounts_.end()) return RejectReason::kNone;
  const Counts& counts = found->second;
  const RiskLimits& limits = counts.limits;
  if (!limits.order_quantity_max.is_zero() && wish.quantity > limits.order_quantity_max &&
      !ENGINE_FAULT(kQuantityLimitIgnored)) {
    return RejectReason::kRiskOrderQuantity;
  }
  if (limits.order_notional_max != Money() &&
      NotionalMicros(wish.market, wish.price, wish.quantity) > limits.order_notional_max.micros()) {
    return RejectReason::kRiskOrderNotional;
  }
  using Rests = Wish::Rests;
  if (limits.open_orders_max != 0 &&
      (wish.rests == Rests::kYes || wish.rests == Rests::kInsteadOfAnother)) {
    const uint64_t others = counts.open_orders - (wish.rests == Rests::kInsteadOfAnother ? 1 : 0);
    if (others >= limits.open_orders_max + (ENGINE_FAULT(kOpenOrdersOneMore) ? 1 : 0))
      return RejectReason::kRiskOpenOrders;
  }
  if (limits.orders_per_second_max != 0 && counts.second == SecondOf(wish.now) &&
      counts.commands >= limits.orders_per_second_max + (ENGINE_FAULT(kRateOneMore) ? 1 : 0)) {
    return RejectReason::kRiskOrderRate;
  }
  return RejectReason::kNone;
}

void RiskControl::CountLimited(AccountId account, Timestamp now) {
  const auto found = accounts_.find(account);
  if (found == accounts_.end() || found->second.limits.orders_per_second_max == 0) return;
  Counts& counts = found->second;
  const int64_t second = SecondOf(now);
  if (counts.second != second && !ENGINE_FAULT(kRateNeverResets)) counts.commands = 0;
  counts.second = second;
  ++counts.commands;
}

void RiskControl::CountRestingLimited(AccountId account, int change) {
  const auto found = accounts_.find(account);
  if (found == accounts_.end()) return;
  CHECK(change > 0 || found->second.open_orders > 0) << "account " << account;
  found->second.open_orders += static_cast<uint64_t>(static_cast<int64_t>(change));
}

void RiskControl::SetLimits(AccountId account, const RiskLimits& limits, uint64_t open_orders) {
  CHECK(account != AccountId());
  if (limits == RiskLimits()) {
    accounts_.erase(account);
  } else {
    accounts_.insert_or_assign(account, Counts{.limits = limits, .open_orders = open_orders});
  }
}

}  // namespace engine
