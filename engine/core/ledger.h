// Who has what: balances, positions, and what resting orders keep reserved.
//
//   account ─► balance
//           ─► holding in a market ─► position (YES contracts; below zero: NO)
//                                  ─► required by its resting bids, by its resting asks
//
//   reserved  = Σ over holdings and sides of max(0, required − what pairs would pay)
//   available = balance − reserved, never below zero
//
// Kept up to date fill by fill. E1: all balances, a dollar for each open contract and the fees
// collected are together what is held: deposits less withdrawals. Specified in engine/RULES.md.

#ifndef ENGINE_CORE_LEDGER_H_
#define ENGINE_CORE_LEDGER_H_

#include <cstdint>
#include <map>

#include "absl/functional/function_ref.h"
#include "engine/core/contract_money.h"
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
 public:
  Ledger() = default;
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  // Each refuses before it changes anything, or acts and returns kNone. Any account, any amount.
  RejectReason Open(AccountId account);
  RejectReason Deposit(AccountId account, Money amount);
  RejectReason Withdraw(AccountId account, Money amount);

  bool IsOpen(AccountId account) const { return accounts_.contains(account); }
  AccountState StateOf(AccountId account) const;

  // Signed YES contracts; zero where there never were any, or no such account.
  int64_t PositionOf(AccountId account, MarketId market) const;

  // How much of it a fill of `side` would close: NO for bids, YES for asks.
  Quantity Closable(AccountId account, MarketId market, Side side) const;

  // What would be reserved if resting orders of `side` required `more` (which may be below zero).
  Money ReservedWith(AccountId account, MarketId market, const ContractMoney& money, Side side,
                     Money more) const;

  // Orders of `side` came to rest, changed or left: they require `more`.
  void Require(AccountId account, MarketId market, const ContractMoney& money, Side side,
               Money more);

  // `account` traded `quantity` as `side`, which comes to `fill`; its own resting order, if it was
  // one, requires `more` since then.
  void Apply(AccountId account, MarketId market, const ContractMoney& money, Side side,
             Quantity quantity, const FillMoney& fill, Money more);

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

  // In the order of the accounts, and of the markets; positions that are not zero.
  void VisitAccounts(absl::FunctionRef<void(AccountId, const AccountState&)> visit) const;
  void VisitPositions(absl::FunctionRef<void(AccountId, MarketId, int64_t)> visit) const;
  // What resting orders require; holdings where it is nothing included.
  void VisitRequired(absl::FunctionRef<void(AccountId, MarketId, Side, Money)> visit) const;

  // `money_of` gives the money of a market. CHECKs E1, that positions sum to zero, that nobody is
  // overdrawn, and that `reserved` is what the holdings say.
  void CheckInvariants(absl::FunctionRef<const ContractMoney&(MarketId)> money_of) const;

 private:
  struct Holding {
    int64_t position = 0;
    Money bids_required;
    Money asks_required;

    Money& required(Side side) { return side == Side::kBid ? bids_required : asks_required; }
    Money required(Side side) const { return side == Side::kBid ? bids_required : asks_required; }
    Quantity Closable(Side side) const;
    Money Reserved(const ContractMoney& money) const;
  };
  struct Account {
    Money balance;
    Money reserved;
    std::map<MarketId, Holding> holdings;
  };

  Account& Find(AccountId account);
  const Account& Find(AccountId account) const;
  static const Holding& FindHolding(const Account& account, MarketId market);

  std::map<AccountId, Account> accounts_;
  Money held_;
  Money fees_collected_;
};

}  // namespace engine

#endif  // ENGINE_CORE_LEDGER_H_
