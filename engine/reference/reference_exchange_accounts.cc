#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/check.h"
#include "engine/reference/reference_attachments.h"
#include "engine/reference/reference_exchange.h"
#include "engine/reference/reference_exchange_arrival.h"

namespace engine {
namespace {

// |Price| × quantity in millionths, rounded down.
__int128 Notional(const MarketDefinition& market, Price price, Quantity quantity) {
  const __int128 value = price < Price() ? -price.units() : price.units();
  __int128 notional = value * static_cast<__int128>(quantity.units());
  const int decimals = market.price_decimals + market.quantity_decimals;
  for (int i = decimals; i < 6; ++i) notional *= 10;
  for (int i = 6; i < decimals; ++i) notional /= 10;
  return notional;
}

bool IsAmount(Money amount) {
  return amount > Money() && amount.micros() % kBalanceStepMicros == 0;
}

}  // namespace

bool ReferenceExchange::IsOpen(AccountId account) const {
  const auto found = accounts_.find(account);
  return found != accounts_.end() && found->second.is_open;
}

bool ReferenceExchange::IsSuspended(AccountId account) const {
  return IsOpen(account) && accounts_.at(account).standing == AccountStanding::kSuspended;
}

std::optional<ReferenceExchange::AccountState> ReferenceExchange::FindAccount(AccountId id) const {
  if (!IsOpen(id)) return std::nullopt;
  return AccountState{accounts_.at(id).balance,
                      Money::FromMicros(static_cast<int64_t>(Reserved(id)))};
}

RejectReason ReferenceExchange::OpenAccount(const Command& command) {
  if (command.account == AccountId()) return RejectReason::kUnknownAccount;
  if (IsOpen(command.account)) return RejectReason::kAccountAlreadyOpen;
  accounts_[command.account].is_open = true;
  events_->Append(EventKind::kAccountOpened).account = command.account;
  return RejectReason::kNone;
}

RejectReason ReferenceExchange::Deposit(const Command& command) {
  const Money amount = command.amount();
  if (!IsOpen(command.account)) return RejectReason::kUnknownAccount;
  if (!IsAmount(amount)) return RejectReason::kInvalidAmount;
  const auto held = static_cast<__int128>(held_.micros());
  if (held + amount.micros() > kMoneyMax.micros()) return RejectReason::kAmountOutOfRange;
  held_ += amount;
  accounts_.at(command.account).balance += amount;
  AppendBalance(command.account, MarketId(), OrderId(), amount, Money());
  return RejectReason::kNone;
}

RejectReason ReferenceExchange::Withdraw(const Command& command) {
  const Money amount = command.amount();
  if (!IsOpen(command.account)) return RejectReason::kUnknownAccount;
  if (!IsAmount(amount)) return RejectReason::kInvalidAmount;
  Account& account = accounts_.at(command.account);
  if (amount.micros() > account.balance.micros() - Reserved(command.account)) {
    return RejectReason::kInsufficientFunds;
  }
  held_ -= amount;
  account.balance -= amount;
  AppendBalance(command.account, MarketId(), OrderId(), -amount, Money());
  return RejectReason::kNone;
}

RejectReason ReferenceExchange::SetRiskLimits(const Command& command, Bytes attachment) {
  if (command.account == AccountId()) return RejectReason::kUnknownAccount;
  const auto limits = ReadReferenceLimits(attachment);
  if (!limits.has_value()) return RejectReason::kMalformedLimits;
  Account& account = accounts_[command.account];
  account.limits = *limits;
  account.rate_second = 0;
  account.rate_count = 0;
  events_->Append(EventKind::kLimitsSet).account = command.account;
  return RejectReason::kNone;
}

RejectReason ReferenceExchange::SuspendAccount(const Command& command) {
  if (!IsOpen(command.account)) return RejectReason::kUnknownAccount;
  if (IsSuspended(command.account)) return RejectReason::kAccountStandingForbids;
  accounts_.at(command.account).standing = AccountStanding::kSuspended;
  Event& event = events_->Append(EventKind::kAccountStanding);
  event.account = command.account;
  event.detail = static_cast<uint8_t>(AccountStanding::kSuspended);
  if (const auto own = orders_of_.find(command.account); own != orders_of_.end()) {
    CancelEach({own->second.begin(), own->second.end()}, CancelReason::kAccountSuspended);
  }
  return RejectReason::kNone;
}

RejectReason ReferenceExchange::ResumeAccount(const Command& command) {
  if (!IsOpen(command.account)) return RejectReason::kUnknownAccount;
  if (!IsSuspended(command.account)) return RejectReason::kAccountStandingForbids;
  accounts_.at(command.account).standing = AccountStanding::kActive;
  Event& event = events_->Append(EventKind::kAccountStanding);
  event.account = command.account;
  event.detail = static_cast<uint8_t>(AccountStanding::kActive);
  return RejectReason::kNone;
}

RejectReason ReferenceExchange::SetFees(const Command& command, Bytes attachment) {
  const bool is_default = command.market == MarketId();
  if (!is_default) {
    const Market* const market = FindMarket(command.market);
    if (market == nullptr) return RejectReason::kUnknownMarket;
    if (!market->is_binary()) return RejectReason::kMarketNotBinary;
  }
  const auto fees = ReadReferenceFees(attachment);
  if (!fees.has_value()) return RejectReason::kMalformedFees;
  if (!is_default) {
    const Market& market = markets_.at(command.market);
    if (!market.bids.empty() || !market.asks.empty()) return RejectReason::kFeesInUse;
  }
  (is_default ? default_fees_ : markets_.at(command.market).fees) = *fees;
  events_->Append(EventKind::kFeesSet).market = command.market;
  return RejectReason::kNone;
}

RejectReason ReferenceExchange::DefineGroup(const Command& command) {
  if (command.account == AccountId()) return RejectReason::kUnknownAccount;
  if (command.group() == GroupId() || command.quantity.is_zero() || command.window_nanos() <= 0) {
    return RejectReason::kMalformedGroup;
  }
  Group& group = groups_[{command.account, command.group()}];
  ForgetOldFills(group);  // By the old window: a longer one does not bring them back.
  group.limit = command.quantity;
  group.window_nanos = command.window_nanos();
  ForgetOldFills(group);
  Event& event = events_->Append(EventKind::kGroupDefined);
  event.account = command.account;
  event.order_id = OrderId(command.group().value());
  event.quantity = command.quantity;
  return RejectReason::kNone;
}

RejectReason ReferenceExchange::ResetGroup(const Command& command) {
  if (command.account == AccountId()) return RejectReason::kUnknownAccount;
  const auto found = groups_.find({command.account, command.group()});
  if (found == groups_.end()) return RejectReason::kUnknownGroup;
  found->second.is_tripped = false;
  found->second.fills.clear();
  found->second.filled = Quantity();
  Event& event = events_->Append(EventKind::kGroupReset);
  event.account = command.account;
  event.order_id = OrderId(command.group().value());
  return RejectReason::kNone;
}

RejectReason ReferenceExchange::TriggerGroup(const Command& command) {
  if (command.account == AccountId()) return RejectReason::kUnknownAccount;
  const GroupKey key(command.account, command.group());
  const auto found = groups_.find(key);
  if (found == groups_.end()) return RejectReason::kUnknownGroup;
  ForgetOldFills(found->second);
  Trip(key, found->second);
  return RejectReason::kNone;
}

RejectReason ReferenceExchange::DeleteGroup(const Command& command) {
  if (command.account == AccountId()) return RejectReason::kUnknownAccount;
  const GroupKey key(command.account, command.group());
  if (groups_.erase(key) == 0) return RejectReason::kUnknownGroup;
  Event& event = events_->Append(EventKind::kGroupDeleted);
  event.account = command.account;
  event.order_id = OrderId(command.group().value());
  CancelMembers(key, CancelReason::kGroupDeleted);
  return RejectReason::kNone;
}

RejectReason ReferenceExchange::CheckRisk(const Arrival& arrival,
                                          const RestingOrder* instead_of) const {
  const RestingOrder& order = arrival.order;
  const auto found = accounts_.find(order.account);
  if (order.account == AccountId() || found == accounts_.end()) return RejectReason::kNone;
  const Account& account = found->second;
  const RiskLimits& limits = account.limits;
  if (!limits.order_quantity_max.is_zero() && arrival.asked() > limits.order_quantity_max) {
    return RejectReason::kRiskOrderQuantity;
  }
  if (limits.order_notional_max != Money() &&
      NotionalOf(arrival) > limits.order_notional_max.micros()) {
    return RejectReason::kRiskOrderNotional;
  }
  const auto own = orders_of_.find(order.account);
  uint64_t open_orders = own == orders_of_.end() ? 0 : own->second.size();
  if (instead_of != nullptr) --open_orders;
  if (limits.open_orders_max != 0 && arrival.kind != CommandKind::kAmend && MayRest(order.tif) &&
      open_orders >= limits.open_orders_max) {
    return RejectReason::kRiskOpenOrders;
  }
  const uint64_t count = account.rate_second == SecondOfLog(now_) ? account.rate_count : 0;
  if (limits.orders_per_second_max != 0 && count >= limits.orders_per_second_max) {
    return RejectReason::kRiskOrderRate;
  }
  return RejectReason::kNone;
}

// The most that the total quantity is worth at any price at which the order may trade now.
__int128 ReferenceExchange::NotionalOf(const Arrival& arrival) const {
  const Market& market = markets_.at(arrival.order.market);
  const MarketDefinition& definition = *market.definition;
  std::vector<Price> prices;
  if (!arrival.limit.has_value()) {
    prices = {definition.price_min, definition.price_max};
  } else {
    prices = {*arrival.limit};
    if (WouldTrade(arrival)) prices.push_back(market.Front(Opposite(arrival.order.side))->price);
  }
  __int128 most = 0;
  for (const Price price : prices) {
    most = std::max(most, Notional(definition, price, arrival.asked()));
  }
  return most;
}

// Rounded down.
int64_t ReferenceExchange::SecondOfLog(Timestamp time) {
  constexpr int64_t kNanosPerSecond = 1'000'000'000;
  const int64_t second = time.nanos() / kNanosPerSecond;
  return time.nanos() % kNanosPerSecond < 0 ? second - 1 : second;
}

// Counts an accepted order if the account has a rate limit.
void ReferenceExchange::CountOrder(AccountId id) {
  const auto found = accounts_.find(id);
  if (found == accounts_.end() || found->second.limits.orders_per_second_max == 0) return;
  Account& account = found->second;
  if (account.rate_second != SecondOfLog(now_)) account.rate_count = 0;
  account.rate_second = SecondOfLog(now_);
  ++account.rate_count;
}

void ReferenceExchange::CountGroupFill(const RestingOrder& order, Quantity quantity) {
  if (order.group == GroupId()) return;
  const GroupKey key(order.account, order.group);
  Group& group = groups_.at(key);
  ForgetOldFills(group);
  if (group.fills.empty() || group.fills.back().first != now_) {
    group.fills.emplace_back(now_, Quantity());
  }
  group.fills.back().second += quantity;
  group.filled += quantity;
  groups_with_fills_.insert(key);
}

}  // namespace engine
