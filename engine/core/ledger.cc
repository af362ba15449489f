#include "engine/core/ledger.h"

#include <cstdlib>
#include <map>
#include <tuple>

namespace engine {

// ---- Accounts

RejectReason Ledger::Open(AccountId account) {
  if (account == AccountId()) return RejectReason::kUnknownAccount;
  if (IsOpen(account)) return RejectReason::kAccountAlreadyOpen;
  CHECK_EQ(index_.FindOrAdd(account), accounts_.size());
  accounts_.push_back({.id = account});
  MarkChanged(accounts_.back());
  return RejectReason::kNone;
}

RejectReason Ledger::Move(AccountId account, Money amount, bool is_deposit) {
  const uint32_t place = index_.Find(account);
  if (place == AccountIndex::kNone) return RejectReason::kUnknownAccount;
  const bool is_sound = amount > Money() && amount.micros() % kBalanceStepMicros == 0;
  if (!is_sound) return RejectReason::kInvalidAmount;
  Account& owner = accounts_[place];
  if (is_deposit && amount > kMoneyMax - held_) return RejectReason::kAmountOutOfRange;
  if (!is_deposit && amount > owner.available) return RejectReason::kInsufficientFunds;
  const Money change = is_deposit ? amount : -amount;
  owner.balance += change;
  owner.available += change;
  held_ += change;
  MarkChanged(owner);
  return RejectReason::kNone;
}

AccountState Ledger::StateOf(AccountId account) const { return Find(account).state(); }

// ---- Holdings

int64_t Ledger::PositionOf(AccountId account, MarketId market) const {
  const Holding* const found = holdings_.Find(account, market);
  return found == nullptr ? 0 : found->position;
}

Quantity Ledger::Closable(AccountId account, MarketId market, Side side) const {
  const Holding* const found = holdings_.Find(account, market);
  return found == nullptr ? Quantity() : found->Closable(side);
}

Money Ledger::ReservedWith(AccountId account, MarketId market, Side side, Money more) const {
  const Holding* const found = holdings_.Find(account, market);
  const Money beyond = found == nullptr ? Money() : found->beyond(side);
  return Find(account).state().reserved + Added(beyond, more);
}

Ledger::Party Ledger::FindPartyElsewhere(AccountId account, MarketId market) {
  return PartyOf(holdings_.Find(account, market));
}

void Ledger::FailRelease(const Holding& holding) {
  CHECK(false) << "account " << holding.account << " has not reserved what is released in market "
               << holding.market;
  std::abort();
}

Holding& Ledger::AddHolding(AccountId account, MarketId market) {
  const uint32_t place = index_.Find(account);
  CHECK(place != AccountIndex::kNone) << "account " << account << " is not open";
  holders_[market].push_back(account);
  Holding& holding = holdings_.Add(account, market);
  holding.account_offset = place * sizeof(Account);
  return holding;
}

void Ledger::Settle(MarketId market, const ContractMoney& money, Price value,
                    absl::FunctionRef<void(const Payment&)> on_paid) {
  const auto found = holders_.find(market);
  if (found == holders_.end()) return;
  std::vector<AccountId> holders = std::move(found->second);
  holders_.erase(found);
  std::sort(holders.begin(), holders.end());
  for (const AccountId id : holders) {
    const Holding holding = *holdings_.Find(id, market);
    CHECK(Reserved(holding) == Money()) << "an order rests in a market that is settled";
    MarkChanged(holding);
    holdings_.Remove(id, market);
    if (holding.position == 0) continue;
    const Money gross = money.Settlement(holding.position, value);
    const Money change = RoundDownToBalanceStep(gross);
    Account& account = OwnerOf(holding);
    account.balance += change;
    account.available += change;
    fees_collected_ += gross - change;
    MarkChanged(account);
    on_paid({.account = id, .position = holding.position, .change = change, .fee = gross - change});
  }
}

// ---- Restoring

void Ledger::RestoreTotals(Money held, Money fees_collected) {
  held_ = held;
  fees_collected_ = fees_collected;
}

void Ledger::RestoreAccount(AccountId account, Money balance) {
  CHECK(Open(account) == RejectReason::kNone) << "account " << account;
  accounts_.back().balance = balance;
  accounts_.back().available = balance;
}

void Ledger::RestorePosition(AccountId account, MarketId market, const ContractMoney& money,
                             int64_t position) {
  Holding& holding = FindOrAdd(account, market);
  CHECK_EQ(holding.position, 0) << "account " << account;
  SetPosition(holding, money, position);
  MarkChanged(holding);
}

// ---- Changes

void Ledger::MarkChanged(const Account& account) const {
  if (!remembers_changes_ || account.is_changed) return;
  account.is_changed = true;
  changed_balances_.push_back(account.id);
}

void Ledger::MarkChanged(const Holding& holding) const {
  if (!remembers_changes_ || holding.is_changed) return;
  holding.is_changed = true;
  changed_positions_.emplace_back(holding.account, holding.market);
}

void Ledger::TakeChanges(absl::FunctionRef<void(AccountId)> balance_of,
                         absl::FunctionRef<void(AccountId, MarketId)> position_of) const {
  if (!remembers_changes_) {
    remembers_changes_ = true;
    for (const Account& account : accounts_) MarkChanged(account);
    for (const Holding& holding : holdings_.slots()) {
      if (holding.position != 0) MarkChanged(holding);
    }
  }
  for (const AccountId account : changed_balances_) {
    Find(account).is_changed = false;
    balance_of(account);
  }
  changed_balances_.clear();
  for (const auto& [account, market] : changed_positions_) {
    const Holding* const holding = holdings_.Find(account, market);
    if (holding != nullptr) holding->is_changed = false;
    position_of(account, market);
  }
  changed_positions_.clear();
}

// ---- Visits and checks

std::vector<const Ledger::Account*> Ledger::SortedAccounts() const {
  std::vector<const Account*> sorted;
  sorted.reserve(accounts_.size());
  for (const Account& account : accounts_) sorted.push_back(&account);
  std::sort(sorted.begin(), sorted.end(),
            [](const Account* a, const Account* b) { return a->id < b->id; });
  return sorted;
}

std::vector<const Holding*> Ledger::SortedHoldings() const {
  std::vector<const Holding*> sorted;
  sorted.reserve(holdings_.size());
  for (const Holding& holding : holdings_.slots()) {
    if (holding.market != MarketId()) sorted.push_back(&holding);
  }
  std::sort(sorted.begin(), sorted.end(), [](const Holding* a, const Holding* b) {
    return std::tie(a->account, a->market) < std::tie(b->account, b->market);
  });
  return sorted;
}

void Ledger::VisitAccounts(absl::FunctionRef<void(AccountId, const AccountState&)> visit) const {
  for (const Account* const account : SortedAccounts()) {
    visit(account->id, account->state());
  }
}

void Ledger::VisitPositions(absl::FunctionRef<void(AccountId, MarketId, int64_t)> visit) const {
  for (const Holding* const holding : SortedHoldings()) {
    if (holding->position != 0) visit(holding->account, holding->market, holding->position);
  }
}

void Ledger::VisitRequired(absl::FunctionRef<void(AccountId, MarketId, Side, Money)> visit) const {
  for (const Holding* const holding : SortedHoldings()) {
    for (const Side side : {Side::kBid, Side::kAsk}) {
      visit(holding->account, holding->market, side, holding->required(side));
    }
  }
}

void Ledger::CheckInvariants(absl::FunctionRef<const ContractMoney&(MarketId)> money_of) const {
  Money sum = fees_collected_;
  std::vector<Money> reserved(accounts_.size());
  std::map<MarketId, int64_t> positions;
  std::map<MarketId, size_t> holders;
  for (const Holding& holding : holdings_.slots()) {
    if (holding.market == MarketId()) continue;
    CHECK(OwnerOf(holding).id == holding.account) << "account " << holding.account;
    const ContractMoney& money = money_of(holding.market);
    for (const Side side : {Side::kBid, Side::kAsk}) {
      CHECK_EQ(holding.beyond(side), holding.required(side) - Covered(holding, money, side))
          << "account " << holding.account;
    }
    reserved[holding.account_offset / sizeof(Account)] += Reserved(holding);
    positions[holding.market] += holding.position;
    ++holders[holding.market];
    if (holding.position > 0) sum += money.Pair(holding.Closable(Side::kAsk));
  }
  for (size_t place = 0; place < accounts_.size(); ++place) {
    const Account& account = accounts_[place];
    CHECK_EQ(index_.Find(account.id), place) << "account " << account.id;
    CHECK_EQ(account.state().reserved, reserved[place]) << "account " << account.id;
    CHECK_GE(account.available, Money()) << "account " << account.id << " is overdrawn";
    CHECK_EQ(account.balance.micros() % kBalanceStepMicros, 0) << "account " << account.id;
    sum += account.balance;
  }
  for (const auto& [market, position] : positions) CHECK_EQ(position, 0) << "market " << market;
  for (const auto& [market, count] : holders) {
    const auto found = holders_.find(market);
    CHECK(found != holders_.end() && found->second.size() == count) << "market " << market;
  }
  CHECK_EQ(holders.size(), holders_.size());
  CHECK_EQ(sum, held_) << "(E1)";
  CHECK_LE(held_, kMoneyMax);
}

}  // namespace engine
