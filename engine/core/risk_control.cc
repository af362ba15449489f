#include "engine/core/risk_control.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "engine/base/check.h"
#include "engine/types/money.h"

namespace engine {
namespace {

constexpr int64_t kNanosPerSecond = 1'000'000'000;
// The unit of price × quantity, as a power of ten: 0 is the micro-dollar, −1 a tenth of it.
int ExponentOf(const MarketDefinition& market) {
  constexpr int kMicroDecimals = 6;
  return kMicroDecimals - market.price_decimals - market.quantity_decimals;
}

// Whether |price| × quantity, in micro-dollars and rounded down, is above `limit`.
bool IsNotionalAbove(Money limit, const MarketDefinition& market, Price price, Quantity quantity) {
  const int64_t value = std::abs(price.units());
  const auto units = static_cast<int64_t>(quantity.units());
  const int64_t micros = RiskControl::MicrosOf(market);
  int64_t narrow = 0;
  if (micros != 0 && !__builtin_mul_overflow(value, units, &narrow) &&
      !__builtin_mul_overflow(narrow, micros, &narrow)) [[likely]] {
    return narrow > limit.micros();
  }
  __int128 notional = static_cast<__int128>(value) * units;
  int exponent = ExponentOf(market);
  for (; exponent > 0; --exponent) notional *= 10;
  for (; exponent < 0; ++exponent) notional /= 10;
  return notional > limit.micros();
}

}  // namespace

int64_t RiskControl::MicrosOf(const MarketDefinition& market) {
  static constexpr int64_t kPowersOfTen[] = {1, 10, 100, 1'000, 10'000, 100'000, 1'000'000};
  const int exponent = ExponentOf(market);
  return exponent < 0 ? 0 : kPowersOfTen[exponent];
}

Timestamp RiskControl::LastOf(int64_t second) {
  const __int128 last = static_cast<__int128>(second) * kNanosPerSecond + (kNanosPerSecond - 1);
  constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();
  return Timestamp::FromNanos(last > kEnd ? kEnd : static_cast<int64_t>(last));
}

RiskControl::Counts RiskControl::CountsOf(const Account& account) {
  return {.limits = account.limits,
          .open_orders = account.open_orders,
          .second = SecondOf(account.second_last),
          .commands = account.commands};
}

std::optional<RiskControl::Counts> RiskControl::Find(AccountId account) const {
  const uint32_t place = index_.Find(account);
  if (place == AccountIndex::kNone || !accounts_[place].is_limited) return std::nullopt;
  return CountsOf(accounts_[place]);
}

RejectReason RiskControl::Check(const Request& request, const Account& account) {
  const RiskLimits& limits = account.limits;
  if (!limits.order_quantity_max.is_zero() && request.quantity > limits.order_quantity_max) {
    return RejectReason::kRiskOrderQuantity;
  }
  if (limits.order_notional_max != Money() &&
      IsNotionalAbove(limits.order_notional_max, request.market, request.price, request.quantity)) {
    return RejectReason::kRiskOrderNotional;
  }
  using Rests = Request::Rests;
  if (limits.open_orders_max != 0 &&
      (request.rests == Rests::kYes || request.rests == Rests::kInsteadOfAnother)) {
    const uint64_t others =
        account.open_orders - (request.rests == Rests::kInsteadOfAnother ? 1 : 0);
    if (others >= limits.open_orders_max) return RejectReason::kRiskOpenOrders;
  }
  if (limits.orders_per_second_max != 0 && request.now <= account.second_last &&
      account.commands >= limits.orders_per_second_max) {
    return RejectReason::kRiskOrderRate;
  }
  return RejectReason::kNone;
}

void RiskControl::Count(Account& account, Timestamp now) {
  if (account.limits.orders_per_second_max == 0) return;
  if (now > account.second_last || account.commands == 0) {
    account.second_last = LastOf(SecondOf(now));
    account.commands = 0;
  }
  ++account.commands;
  MarkChanged(account);
}

void RiskControl::SetLimits(AccountId account, const RiskLimits& limits, uint64_t open_orders) {
  const bool is_limited = limits != RiskLimits();
  if (!is_limited && !Find(account).has_value()) return;
  Change(account, [&](Account& changed) {
    changed.limits = limits;
    changed.open_orders = open_orders;
    changed.second_last = LastOf(0);
    changed.commands = 0;
    changed.is_limited = is_limited;
  });
}

void RiskControl::SetStanding(AccountId account, AccountStanding standing) {
  SetObstacle(account, kSuspended, standing == AccountStanding::kSuspended);
}

void RiskControl::SetPositionLimited(AccountId account, bool is_limited) {
  SetObstacle(account, kPositionLimited, is_limited);
}

void RiskControl::SetObstacle(AccountId account, uint8_t obstacle, bool is_set) {
  Change(account, [&](Account& changed) {
    const int others = changed.obstacles & ~obstacle;
    changed.obstacles = static_cast<uint8_t>(others | (is_set ? obstacle : 0));
  });
}

void RiskControl::Change(AccountId account, absl::FunctionRef<void(Account&)> change) {
  CHECK(account != AccountId());
  const uint32_t place = index_.FindOrAdd(account);
  if (place == accounts_.size()) {
    Account& added = accounts_.emplace_back();
    added.id = account;
    added.is_changed = !remembers_changes_;
  }
  Account& changed = accounts_[place];
  restricted_count_ -= IsRestricted(changed) ? 1 : 0;
  change(changed);
  restricted_count_ += IsRestricted(changed) ? 1 : 0;
  MarkChanged(changed);
}

void RiskControl::Restore(AccountId account, const Counts& counts) {
  CHECK(!Find(account).has_value()) << "account " << account;
  SetLimits(account, counts.limits, counts.open_orders);
  Account& restored = accounts_[index_.Find(account)];
  restored.second_last = LastOf(counts.second);
  restored.commands = counts.commands;
}

std::map<AccountId, RiskControl::Counts> RiskControl::accounts() const {
  std::map<AccountId, Counts> limited;
  for (const Account& account : accounts_) {
    if (account.is_limited) limited.emplace(account.id, CountsOf(account));
  }
  return limited;
}

std::vector<AccountId> RiskControl::suspended() const {
  std::vector<AccountId> suspended;
  for (const Account& account : accounts_) {
    if ((account.obstacles & kSuspended) != 0) suspended.push_back(account.id);
  }
  std::sort(suspended.begin(), suspended.end());
  return suspended;
}

void RiskControl::MarkChanged(const Account& account) const {
  if (account.is_changed) return;
  account.is_changed = true;
  changed_.push_back(account.id);
}

void RiskControl::TakeChanges(absl::FunctionRef<void(AccountId)> limits_of) const {
  if (!remembers_changes_) {
    remembers_changes_ = true;
    for (const Account& account : accounts_) changed_.push_back(account.id);
  }
  for (const AccountId account : changed_) {
    accounts_[index_.Find(account)].is_changed = false;
    limits_of(account);
  }
  changed_.clear();
}

}  // namespace engine
