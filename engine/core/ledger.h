// Who has what: balances, positions, and what resting orders keep reserved.
//
//   account ─► balance, and what of it is available
//           ─► holding in a market ─► position (YES contracts; below zero: NO)
//                                  ─► required by its resting bids, by its resting asks
//
//   beyond    = required − what pairs would pay
//   reserved  = Σ over holdings and sides of max(0, beyond)
//   available = balance − reserved, never below zero
//
// In memory, accounts are an array in the order in which they were opened, and holdings one hash
// table: of a hundred commands fewer than ten trade, but ninety place or cancel an order, and what
// these do here, Require, is a look-up and two additions.
//
// Kept up to date fill by fill. E1: all balances, a dollar for each open contract and the fees
// collected are together what is held: deposits less withdrawals. Specified in engine/RULES.md.

#ifndef ENGINE_CORE_LEDGER_H_
#define ENGINE_CORE_LEDGER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "engine/base/check.h"
#include "engine/base/inline.h"
#include "engine/book/fault.h"
#include "engine/core/account_index.h"
#include "engine/core/contract_money.h"
#include "engine/core/holding_table.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"

namespace engine {

// A regular value type.
struct AccountState {
  Money balance;
  Money reserved;
  Money available() const { return balance - reserved; }
};

// Not thread-safe: owned by the exchange. Accounts in the calls below are open unless said
// otherwise.
class Ledger {
  struct alignas(32) Account {
    AccountId id;
    mutable bool is_changed = false;  // Its balance is to be told.
    Money balance = {};
    Money available = {};
    AccountState state() const { return {.balance = balance, .reserved = balance - available}; }
  };

 public:
  Ledger() = default;
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  // Each refuses before it changes anything, or acts and returns kNone. Any account, any amount.
  RejectReason Open(AccountId account);
  RejectReason Deposit(AccountId account, Money amount);
  RejectReason Withdraw(AccountId account, Money amount);

  bool IsOpen(AccountId account) const { return index_.Find(account) != AccountIndex::kNone; }
  AccountState StateOf(AccountId account) const;

  // Signed YES contracts; zero where there never were any, or no such account.
  int64_t PositionOf(AccountId account, MarketId market) const;

  // How much of it a fill of `side` would close: NO for bids, YES for asks.
  Quantity Closable(AccountId account, MarketId market, Side side) const;

  // What would be reserved if resting orders of `side` required `more` (which may be below zero).
  Money ReservedWith(AccountId account, MarketId market, Side side, Money more) const;

  // Whether the balance covers that.
  bool CanReserve(AccountId account, MarketId market, Side side, Money more) const {
    const Holding* const found = holdings_.Find(account, market);
    if (found == nullptr) [[unlikely]] {
      return ReservedWith(account, market, side, more) <= Find(account).balance;
    }
    const Money beyond = found->beyond(side);
    return Added(beyond, more) <= OwnerOf(*found).available;
  }

  // An account in a market, looked up once for all that a command does there. Good until an account
  // is opened or another comes to a market.
  class Party {
   public:
    // False where nobody has looked at the account in this market before; nothing else is asked
    // then.
    bool is_known() const { return holding_ != nullptr; }
    // Whether the balance covers `bound` more than is reserved, whatever pairs would pay. Most
    // accounts have more than enough; of those that have not, false says nothing.
    bool Covers(Money bound) const { return bound <= owner_->available; }
    Quantity Closable(Side side) const { return holding_->Closable(side); }
    int64_t position() const { return holding_->position; }
    AccountState state() const { return owner_->state(); }

   private:
    friend class Ledger;
    Holding* holding_ = nullptr;
    Account* owner_ = nullptr;
  };
  // REQUIRES: the market is not zero.
  ENGINE_ALWAYS_INLINE Party FindParty(AccountId account, MarketId market) {
    const Party party = FindPartyFast(account, market);
    return party.is_known() ? party : FindPartyElsewhere(account, market);
  }

  // Known where it is found at once; of those that are not, that says nothing. REQUIRES: the market
  // is not zero.
  ENGINE_ALWAYS_INLINE Party FindPartyFast(AccountId account, MarketId market) {
    return PartyOf(holdings_.FindAtHome(account, market));
  }

  // Orders of `side` came to rest, changed or left: they require `more`.
  void Require(AccountId account, MarketId market, Side side, Money more) {
    Holding& holding = FindOrAdd(account, market);
    Change(holding, OwnerOf(holding), side, more);
    CHECK(holding.required(side) >= Money()) << "account " << account;
  }
  // The same. REQUIRES: the party is known; no less is required than what they release.
  void Require(const Party& party, Side side, Money more) {
    Change(*party.holding_, *party.owner_, side, more);
  }

  // An order of `side` that rested left: it required `less`. REQUIRES: the party is known.
  void Release(const Party& party, Side side, Money less) {
    if (!ReleaseFast(party, side, less)) [[unlikely]]
      FailRelease(*party.holding_);
  }
  // The same, but false where it fails: less was required than that. Nothing can go on from there
  // but Release, which says so and stops.
  ENGINE_ALWAYS_INLINE bool ReleaseFast(const Party& party, Side side, Money less) {
    const Holding::OfSide of_side = party.holding_->of(side);
    of_side.required() -= less;
    if (of_side.required() < Money()) [[unlikely]]
      return false;
    ChangeBeyond(of_side, *party.owner_, -less);
    return true;
  }

  // `account` traded `quantity` as `side`, which comes to `fill`; its own resting order, if it was
  // one, requires `more` since then.
  void Apply(AccountId account, MarketId market, const ContractMoney& money, Side side,
             Quantity quantity, const FillMoney& fill, Money more);
  ENGINE_ALWAYS_INLINE void Apply(const Party& party, const ContractMoney& money, Side side,
                                  Quantity quantity, const FillMoney& fill, Money more) {
    Holding& holding = *party.holding_;
    Account& owner = *party.owner_;
    const Money before = Reserved(holding);
    const auto contracts = static_cast<int64_t>(quantity.units());
    SetPosition(holding, money, holding.position + (side == Side::kBid ? contracts : -contracts));
    holding.of(side).required() += more;
    holding.of(side).beyond() += more;
    owner.available += before - Reserved(holding) + fill.change;
    owner.balance += fill.change;
    fees_collected_ += fill.fee;
    if (remembers_changes_) {
      MarkChanged(owner);
      MarkChanged(holding);
    }
  }

  // Pays all positions of `market` at `value`, in the order of the accounts; `on_paid` sees each.
  // REQUIRES: no order rests in it.
  struct Payment {
    AccountId account;
    int64_t position;  // Before.
    Money change;
    Money fee;  // What rounding left over.
  };
  void Settle(MarketId market, const ContractMoney& money, Price value,
              absl::FunctionRef<void(const Payment&)> on_paid);

  Money held() const { return held_; }
  Money fees_collected() const { return fees_collected_; }

  // For whoever keeps something up to date with the ledger (AccountDigest): what may have changed
  // since the last call, in no order that means anything; an entry may be named twice. The first
  // call names everything there is, and from then on changes are remembered, at no cost before.
  void TakeChanges(absl::FunctionRef<void(AccountId)> balance_of,
                   absl::FunctionRef<void(AccountId, MarketId)> position_of) const;

  // In the order of the accounts, and of the markets; positions that are not zero.
  void VisitAccounts(absl::FunctionRef<void(AccountId, const AccountState&)> visit) const;
  void VisitPositions(absl::FunctionRef<void(AccountId, MarketId, int64_t)> visit) const;
  // What resting orders require; holdings where it is nothing included.
  void VisitRequired(absl::FunctionRef<void(AccountId, MarketId, Side, Money)> visit) const;

  // What a snapshot says, which is sound, into a ledger without it. REQUIRES: the account is not
  // open yet; it is open, and has no position in the market.
  void RestoreTotals(Money held, Money fees_collected);
  void RestoreAccount(AccountId account, Money balance);
  void RestorePosition(AccountId account, MarketId market, const ContractMoney& money,
                       int64_t position);

  // `money_of` gives the money of a market. CHECKs E1, that positions sum to zero, that nobody is
  // overdrawn, and that `reserved` is what the holdings say.
  void CheckInvariants(absl::FunctionRef<const ContractMoney&(MarketId)> money_of) const;

 private:
  // What pairs would pay of what the orders of `side` require.
  static Money Covered(const Holding& holding, const ContractMoney& money, Side side) {
    if (ENGINE_FAULT(kReserveIgnoresPosition)) return Money();
    return money.Pair(holding.Closable(side));
  }
  static Money Reserved(const Holding& holding) {
    return std::max(Money(), holding.beyond(Side::kBid)) +
           std::max(Money(), holding.beyond(Side::kAsk));
  }
  // How much more is reserved where what is required beyond what pairs would pay grows by `more`.
  static Money Added(Money beyond, Money more) {
    return std::max(Money(), beyond + more) - std::max(Money(), beyond);
  }
  static void SetPosition(Holding& holding, const ContractMoney& money, int64_t position) {
    holding.position = position;
    for (const Side side : {Side::kBid, Side::kAsk}) {
      holding.of(side).beyond() = holding.required(side) - Covered(holding, money, side);
    }
  }

  // Out of line, as the stream of a CHECK needs memory and registers of whoever has it.
  [[noreturn]] ENGINE_COLD static void FailRelease(const Holding& holding);

  // Of none, the party that is not known.
  ENGINE_ALWAYS_INLINE Party PartyOf(Holding* holding) {
    Party party;
    party.holding_ = holding;
    if (holding != nullptr) [[likely]]
      party.owner_ = &OwnerOf(*holding);
    return party;
  }

  ENGINE_ALWAYS_INLINE Account& OwnerOf(const Holding& holding) {
    return *reinterpret_cast<Account*>(reinterpret_cast<std::byte*>(accounts_.data()) +
                                       holding.account_offset);
  }
  const Account& OwnerOf(const Holding& holding) const {
    return const_cast<Ledger*>(this)->OwnerOf(holding);
  }

  static void Change(Holding& holding, Account& owner, Side side, Money more) {
    const Holding::OfSide of_side = holding.of(side);
    of_side.required() += more;
    ChangeBeyond(of_side, owner, more);
  }
  static void ChangeBeyond(Holding::OfSide of_side, Account& owner, Money more) {
    const Money beyond = of_side.beyond();
    of_side.beyond() += more;
    owner.available -= Added(beyond, more);
  }

  ENGINE_OUT_OF_LINE Party FindPartyElsewhere(AccountId account, MarketId market);

  const Account& Find(AccountId account) const {
    const uint32_t place = index_.Find(account);
    CHECK(place != AccountIndex::kNone) << "account " << account << " is not open";
    return accounts_[place];
  }
  Account* FindOpen(AccountId account);
  Holding& FindOrAdd(AccountId account, MarketId market) {
    Holding* const found = holdings_.Find(account, market);
    return found != nullptr ? *found : AddHolding(account, market);
  }
  Holding& AddHolding(AccountId account, MarketId market);

  void MarkChanged(const Account& account) const;
  void MarkChanged(const Holding& holding) const;

  // In the order of the accounts; of the accounts, then the markets.
  std::vector<const Account*> SortedAccounts() const;
  std::vector<const Holding*> SortedHoldings() const;

  AccountIndex index_;
  std::vector<Account> accounts_;
  HoldingTable holdings_;
  absl::flat_hash_map<MarketId, std::vector<AccountId>> holders_;  // As they came. For look-ups.
  Money held_;
  Money fees_collected_;

  // What TakeChanges will say. Not part of the ledger's state.
  mutable bool remembers_changes_ = false;
  mutable std::vector<AccountId> changed_balances_;
  mutable std::vector<std::pair<AccountId, MarketId>> changed_positions_;
};

}  // namespace engine

#endif  // ENGINE_CORE_LEDGER_H_
