#include "engine/core/ledger.h"

#include <algorithm>

#include "engine/base/check.h"
#include "engine/core/fault.h"

namespace engine {
namespace {

RejectReason CheckAmount(Money amount) {
  const bool is_sound = amount > Money() && amount.micros() % kBalanceStepMicros == 0;
  return is_sound ? RejectReason::kNone : RejectReason::kInvalidAmount;
}

}  // namespace

Quantity Ledger::Holding::Closable(Side side) const {
  const int64_t opposite = side == Side::kBid ? -position : position;
  return Quantity::FromUnits(static_cast<uint64_t>(std::max(int64_t{0}, opposite)));
}

Money Ledger::Holding::Reserved(const ContractMoney& money) const {
  if (ENGINE_FAULT(kReserveIgnoresPosition)) return bids_required + asks_required;
  return std::max(Money(), bids_required - money.Pair(Closable(Side::kBid))) +
         std::max(Money(), asks_required - money.Pair(Closable(Side::kAsk)));
}

RejectReason Ledger::Open(AccountId account) {
  if (account == AccountId()) return RejectReason::kUnknownAccount;
  const bool is_new = accounts_.try_emplace(account).second;
  return is_new ? RejectReason::kNone : RejectReason::kAccountAlreadyOpen;
}

RejectReason Ledger::Deposit(AccountId account, Money amount) {
  const auto found = accounts_.find(account);
  if (found == accounts_.end()) return RejectReason::kUnknownAccount;
  const RejectReason reason = CheckAmount(amount);
  if (reason != RejectReason::kNone) return reason;
  if (amount > kMoneyMax - held_) return RejectReason::kAmountOutOfRange;
  found->second.balance += amount;
  held_ += amount;
  return RejectReason::kNone;
}

RejectReason Ledger::Withdraw(AccountId account, Money amount) {
  const auto found = accounts_.find(account);
  if (found == accounts_.end()) return RejectReason::kUnknownAccount;
  const RejectReason reason = CheckAmount(amount);
  if (reason != RejectReason::kNone) return reason;
  const Money free =
      found->second.balance - (ENGINE_FAULT(kWithdrawReserved) ? Money() : found->second.reserved);
  if (amount > free) {
    return RejectReason::kInsufficientFunds;
  }
  found->second.balance -= amount;
  held_ -= amount;
  return RejectReason::kNone;
}

AccountState Ledger::StateOf(AccountId account) const {
  const Account& found = Find(account);
  return {.balance = found.balance, .reserved = found.reserved};
}

int64_t Ledger::PositionOf(AccountId account, MarketId market) const {
  const auto found = accounts_.find(account);
  return found == accounts_.end() ? 0 : FindHolding(found->second, market).position;
}

Quantity Ledger::Closable(AccountId account, MarketId market, Side side) const {
  return FindHolding(Find(account), market).Closable(side);
}

Money Ledger::ReservedWith(AccountId account, MarketId market, const ContractMoney& money,
                           Side side, Money more) const {
  const Account& found = Find(account);
  Holding holding = FindHolding(found, market);
  const Money others = found.reserved - holding.Reserved(money);
  holding.required(side) += more;
  return others + holding.Reserved(money);
}

void Ledger::Require(AccountId account, MarketId market, const ContractMoney& money, Side side,
                     Money more) {
  Account& found = Find(account);
  Holding& holding = found.holdings[market];
  found.reserved -= holding.Reserved(money);
  holding.required(side) += more;
  found.reserved += holding.Reserved(money);
  CHECK_GE(holding.required(side), Money()) << "account " << account;
}

void Ledger::Apply(AccountId account, MarketId market, const ContractMoney& money, Side side,
                   Quantity quantity, const FillMoney& fill, Money more) {
  Account& found = Find(account);
  Holding& holding = found.holdings[market];
  found.reserved -= holding.Reserved(money);
  const auto contracts = static_cast<int64_t>(quantity.units());
  holding.position += side == Side::kBid ? contracts : -contracts;
  holding.required(side) += more;
  found.reserved += holding.Reserved(money);
  found.balance += fill.change;
  fees_collected_ += fill.fee;
}

void Ledger::Settle(MarketId market, const ContractMoney& money, Price value,
                    absl::FunctionRef<void(const Payment&)> on_paid) {
  for (auto& [id, account] : accounts_) {
    const auto found = account.holdings.find(market);
    if (found == account.holdings.end()) continue;
    const Holding holding = found->second;
    CHECK_EQ(holding.Reserved(money), Money()) << "an order rests in a market that is settled";
    account.holdings.erase(found);
    if (holding.position == 0) continue;
    const Money gross = money.Settlement(holding.position, value);
    const Money change = RoundDownToBalanceStep(gross);
    account.balance += change;
    fees_collected_ += gross - change;
    on_paid({.account = id, .position = holding.position, .change = change, .fee = gross - change});
  }
}

void Ledger::VisitAccounts(absl::FunctionRef<void(AccountId, const AccountState&)> visit) const {
  for (const auto& [id, account] : accounts_) {
    visit(id, {.balance = account.balance, .reserved = account.reserved});
  }
}

void Ledger::VisitPositions(absl::FunctionRef<void(AccountId, MarketId, int64_t)> visit) const {
  for (const auto& [id, account] : accounts_) {
    for (const auto& [market, holding] : account.holdings) {
      if (holding.position != 0) visit(id, market, holding.position);
    }
  }
}

void Ledger::VisitRequired(absl::FunctionRef<void(AccountId, MarketId, Side, Money)> visit) const {
  for (const auto& [id, account] : accounts_) {
    for (const auto& [market, holding] : account.holdings) {
      for (const Side side : {Side::kBid, Side::kAsk}) {
        visit(id, market, side, holding.required(side));
      }
    }
  }
}

void Ledger::CheckInvariants(absl::FunctionRef<const ContractMoney&(MarketId)> money_of) const {
  Money sum = fees_collected_;
  std::map<MarketId, int64_t> positions;
  for (const auto& [id, account] : accounts_) {
    Money reserved;
    for (const auto& [market, holding] : account.holdings) {
      reserved += holding.Reserved(money_of(market));
      positions[market] += holding.position;
      if (holding.position > 0) sum += money_of(market).Pair(holding.Closable(Side::kAsk));
    }
    CHECK_EQ(account.reserved, reserved) << "account " << id;
    CHECK_GE(account.balance, account.reserved) << "account " << id << " is overdrawn";
    CHECK_EQ(account.balance.micros() % kBalanceStepMicros, 0) << "account " << id;
    sum += account.balance;
  }
  for (const auto& [market, position] : positions) CHECK_EQ(position, 0) << "market " << market;
  CHECK_EQ(sum, held_) << "(E1)";
  CHECK_LE(held_, kMoneyMax);
}

Ledger::Account& Ledger::Find(AccountId account) {
  const auto found = accounts_.find(account);
  CHECK(found != accounts_.end()) << "account " << account << " is not open";
  return found->second;
}

const Ledger::Account& Ledger::Find(AccountId account) const {
  return const_cast<Ledger*>(this)->Find(account);
}

const Ledger::Holding& Ledger::FindHolding(const Account& account, MarketId market) {
  static constexpr Holding kNone;
  const auto found = account.holdings.find(market);
  return found == account.holdings.end() ? kNone : found->second;
}

}  // namespace engine
