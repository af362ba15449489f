// Balances, positions, and what resting orders reserve.
//
//   account ─► balance, and the part of it that is available
//           ─► holding in a market ─► position (YES contracts; below zero: NO)
//                                  ─► required by its resting bids, by its resting asks
//
//   beyond    = required − what pairs would pay
//   reserved  = Σ over holdings and sides of max(0, beyond)
//   available = balance − reserved, never below zero
//
// In memory, accounts are an array in the order in which they were opened, and holdings are one
// hash table. Of a hundred commands fewer than ten trade, but ninety place or cancel an order, and
// these only require or release money: a look-up and two additions.
//
// Every fill updates the ledger. E1: all balances, one dollar for each open contract and the fees
// collected sum to what is held: deposits less withdrawals. Specified in engine/RULES.md.

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

// Not thread-safe: owned by the exchange. All calls REQUIRE an open account unless they say
// otherwise.
class Ledger {
  struct alignas(32) Account {
    AccountId id;
    mutable bool is_changed = false;  // TakeChanges will name its balance.
    Money balance = {};
    Money available = {};
    AccountState state() const { return {.balance = balance, .reserved = balance - available}; }
  };

 public:
  Ledger() = default;
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  // Each either returns a reason and changes nothing, or acts and returns kNone. Any account, any
  // amount.
  RejectReason Open(AccountId account);
  RejectReason Deposit(AccountId account, Money amount) { return Move(account, amount, true); }
  RejectReason Withdraw(AccountId account, Money amount) { return Move(account, amount, false); }

  bool IsOpen(AccountId account) const { return index_.Find(account) != AccountIndex::kNone; }
  AccountState StateOf(AccountId account) const;

  // YES contracts in quantity units; negative: NO. Any account, any market: zero if unknown.
  int64_t PositionOf(AccountId account, MarketId market) const;

  // How much of the position a fill of `side` would close: NO for bids, YES for asks. Any account.
  Quantity Closable(AccountId account, MarketId market, Side side) const;

  // What would be reserved if resting orders of `side` required `more` (which may be negative).
  Money ReservedWith(AccountId account, MarketId market, Side side, Money more) const;

  // Whether the balance covers ReservedWith the same arguments.
  bool CanReserve(AccountId account, MarketId market, Side side, Money more) const {
    const Holding* const found = holdings_.Find(account, market);
    if (found == nullptr) [[unlikely]] {
      return ReservedWith(account, market, side, more) <= Find(account).balance;
    }
    const Money beyond = found->beyond(side);
    return Added(beyond, more) <= OwnerOf(*found).available;
  }

  // An account in a market, looked up once for all that a command does there. Valid until an
  // account is opened or a holding is added.
  class Party {
   public:
    // False when the look-up found no holding; the other methods REQUIRE true.
    bool is_known() const { return holding_ != nullptr; }
    // Whether the available balance covers `bound`, even if no pairs are closed. True for most
    // accounts; on false, the account may still be able to pay.
    bool Covers(Money bound) const { return bound <= owner_->available; }
    Quantity Closable(Side side) const { return holding_->Closable(side); }
    int64_t position() const { return holding_->position; }
    AccountState state() const { return owner_->state(); }

   private:
    friend class Ledger;
    Holding* holding_ = nullptr;
    Account* owner_ = nullptr;
  };
  // The party of an account in a market; unknown if there is no holding. REQUIRES: the market is
  // not zero.
  ENGINE_ALWAYS_INLINE Party FindParty(AccountId account, MarketId market) {
    const Party party = FindPartyFast(account, market);
    return party.is_known() ? party : FindPartyElsewhere(account, market);
  }

  // The same without a loop or a call; an unknown party may still have a holding. REQUIRES: the
  // market is not zero.
  ENGINE_ALWAYS_INLINE Party FindPartyFast(AccountId account, MarketId market) {
    return PartyOf(holdings_.FindAtHome(account, market));
  }

  // The same, with a holding added if there is none.
  Party FindOrAddParty(AccountId account, MarketId market) {
    return PartyOf(&FindOrAdd(account, market));
  }

  // Orders of `side` rested, changed or left, and now require `more` (negative: less).
  void Require(AccountId account, MarketId market, Side side, Money more) {
    Holding& holding = FindOrAdd(account, market);
    Change(holding, OwnerOf(holding), side, more);
    CHECK(holding.required(side) >= Money()) << "account " << account;
  }
  // The same. REQUIRES: the party is known; a release is at most what is required.
  void Require(const Party& party, Side side, Money more) {
    Change(*party.holding_, *party.owner_, side, more);
  }

  // Releases `less`, which an order of `side` that left the book required. Aborts if less than that
  // was required. REQUIRES: the party is known.
  void Release(const Party& party, Side side, Money less) {
    if (!ReleaseFast(party, side, less)) [[unlikely]]
      FailRelease(*party.holding_);
  }
  // The same, but returns false where Release would abort. On false, call Release(), which aborts.
  ENGINE_ALWAYS_INLINE bool ReleaseFast(const Party& party, Side side, Money less) {
    const Holding::OfSide of_side = party.holding_->of(side);
    of_side.required() -= less;
    if (of_side.required() < Money()) [[unlikely]]
      return false;
    ChangeBeyond(of_side, *party.owner_, -less);
    return true;
  }

  // `account` traded `quantity` as `side`, at the cost of `fill`. `more` is the change of what the
  // order requires if it rested, else zero.
  void Apply(AccountId account, MarketId market, const ContractMoney& money, Side side,
             Quantity quantity, const FillMoney& fill, Money more) {
    Apply(FindOrAddParty(account, market), money, side, quantity, fill, more);
  }
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

  struct Payment {
    AccountId account;
    int64_t position;  // Before the payment.
    Money change;      // Of the balance.
    Money fee;         // The remainder of rounding down.
  };
  // Pays and closes all positions of `market` at `value`, in the order of account ids; calls
  // `on_paid` after each payment. REQUIRES: no order rests in the market.
  void Settle(MarketId market, const ContractMoney& money, Price value,
              absl::FunctionRef<void(const Payment&)> on_paid);

  Money held() const { return held_; }
  Money fees_collected() const { return fees_collected_; }

  // Names what may have changed since the last call, for incremental updates (AccountDigest), in an
  // unspecified order; an entry may be named twice. The first call names everything; only from then
  // on does the ledger record changes.
  void TakeChanges(absl::FunctionRef<void(AccountId)> balance_of,
                   absl::FunctionRef<void(AccountId, MarketId)> position_of) const;

  // Visit in the order of account ids, then market ids; only positions that are not zero.
  void VisitAccounts(absl::FunctionRef<void(AccountId, const AccountState&)> visit) const;
  void VisitPositions(absl::FunctionRef<void(AccountId, MarketId, int64_t)> visit) const;
  // What resting orders require, by holding and side; zeros included.
  void VisitRequired(absl::FunctionRef<void(AccountId, MarketId, Side, Money)> visit) const;

  // Restore sound values of a snapshot. RestoreAccount REQUIRES: the account is not open.
  // RestorePosition REQUIRES: the account has no position in the market.
  void RestoreTotals(Money held, Money fees_collected);
  void RestoreAccount(AccountId account, Money balance);
  void RestorePosition(AccountId account, MarketId market, const ContractMoney& money,
                       int64_t position);

  // CHECKs E1, that positions sum to zero, that no account is overdrawn, and that `reserved` agrees
  // with the holdings. `money_of` returns the money rules of a market.
  void CheckInvariants(absl::FunctionRef<const ContractMoney&(MarketId)> money_of) const;

 private:
  // What the pairs that fills of `side` would close pay.
  static Money Covered(const Holding& holding, const ContractMoney& money, Side side) {
    return money.Pair(holding.Closable(side));
  }
  static Money Reserved(const Holding& holding) {
    return std::max(Money(), holding.beyond(Side::kBid)) +
           std::max(Money(), holding.beyond(Side::kAsk));
  }
  // How much more is reserved when `beyond` grows by `more`.
  static Money Added(Money beyond, Money more) {
    return std::max(Money(), beyond + more) - std::max(Money(), beyond);
  }
  static void SetPosition(Holding& holding, const ContractMoney& money, int64_t position) {
    holding.position = position;
    for (const Side side : {Side::kBid, Side::kAsk}) {
      holding.of(side).beyond() = holding.required(side) - Covered(holding, money, side);
    }
  }

  // Aborts. Out of line, because the stream of a CHECK takes stack and registers from its function.
  [[noreturn]] ENGINE_COLD static void FailRelease(const Holding& holding);

  // The unknown party for null.
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
  RejectReason Move(AccountId account, Money amount, bool is_deposit);
  Holding& FindOrAdd(AccountId account, MarketId market) {
    Holding* const found = holdings_.Find(account, market);
    return found != nullptr ? *found : AddHolding(account, market);
  }
  Holding& AddHolding(AccountId account, MarketId market);

  void MarkChanged(const Account& account) const;
  void MarkChanged(const Holding& holding) const;

  // Sorted by account; by account, then market.
  std::vector<const Account*> SortedAccounts() const;
  std::vector<const Holding*> SortedHoldings() const;

  AccountIndex index_;
  std::vector<Account> accounts_;
  HoldingTable holdings_;
  // The accounts of each market's holdings, in the order of arrival. Never iterated.
  absl::flat_hash_map<MarketId, std::vector<AccountId>> holders_;
  Money held_;
  Money fees_collected_;

  // What TakeChanges will name. Not part of the ledger's state.
  mutable bool remembers_changes_ = false;
  mutable std::vector<AccountId> changed_balances_;
  mutable std::vector<std::pair<AccountId, MarketId>> changed_positions_;
};

}  // namespace engine

#endif  // ENGINE_CORE_LEDGER_H_
