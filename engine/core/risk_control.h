// What an account may do at most, and how much of it it has done. Accounts without limits cost
// nothing: nothing is counted for them.
//
//   account id ─► place ─► [ limits · open orders · second · commands ]    a cache line each
//
// Every new order asks and counts, every order that leaves counts, and nothing else about the
// account is looked at: so limits and counts stand together, and apart from its money.

#ifndef ENGINE_CORE_RISK_CONTROL_H_
#define ENGINE_CORE_RISK_CONTROL_H_

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "engine/base/check.h"
#include "engine/base/inline.h"
#include "engine/base/timestamp.h"
#include "engine/core/account_index.h"
#include "engine/messages/command.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/risk_limits.h"

namespace engine {

// Not thread-safe: owned by the exchange. Time does not go back from call to call.
class RiskControl {
 public:
  RiskControl() = default;
  RiskControl(const RiskControl&) = delete;
  RiskControl& operator=(const RiskControl&) = delete;

  // Whether any account has.
  bool has_limits() const { return limited_count_ != 0; }

  // What an account wants: a new, replaced or amended order.
  struct Request {
    AccountId account;
    const MarketDefinition& market;
    Quantity quantity;  // In total; at most kQuantityMax.
    Price price;        // At which it counts; of either sign.
    Timestamp now;
    enum class Rests { kNo, kYes, kInsteadOfAnother, kAlready } rests = Rests::kYes;
  };

  // Tries the reasons in their order. Changes nothing.
  RejectReason Check(const Request& request) const {
    const uint32_t place = index_.Find(request.account);
    return place == AccountIndex::kNone ? RejectReason::kNone : Check(request, accounts_[place]);
  }

  // What a unit of quantity costs at a price of one unit, in micro-dollars: a power of ten. Zero
  // where it is less than one of them.
  static int64_t MicrosOf(const MarketDefinition& market);

  // Grants what the most usual request is, an order or an amend with a limit price, if that plainly
  // keeps every limit; the order comes to rest, or does already. Else nothing has changed, and the
  // request is to be checked. `micros` is of its market. Calls nothing.
  ENGINE_ALWAYS_INLINE bool GrantIfPlainlyWithin(const Command& request, int64_t micros,
                                                 bool rests_already);

  // A request was granted.
  void Count(AccountId account, Timestamp now) {
    const uint32_t place = index_.Find(account);
    if (place != AccountIndex::kNone) Count(accounts_[place], now);
  }

  // An order of `account` came to rest (+1), or left the book (−1).
  void CountResting(AccountId account, int change) {
    const uint32_t place = index_.Find(account);
    if (place == AccountIndex::kNone || !accounts_[place].is_limited) return;
    uint64_t& open_orders = accounts_[place].open_orders;
    CHECK(change > 0 || open_orders > 0) << "account " << account;
    open_orders += static_cast<uint64_t>(static_cast<int64_t>(change));
  }

  // The same of one that left, but false where it is not so easy: then nothing has changed.
  ENGINE_ALWAYS_INLINE bool CountCancelFast(AccountId account);

  // Of any account but the anonymous one, which has no limits. Counting begins anew, from
  // `open_orders` that rest now.
  void SetLimits(AccountId account, const RiskLimits& limits, uint64_t open_orders);

  struct Counts {
    RiskLimits limits;  // Not RiskLimits().
    uint64_t open_orders = 0;
    int64_t second = 0;  // Of log time: the last with commands that count.
    uint64_t commands = 0;
  };

  // What a snapshot says. REQUIRES: the account has no limits yet, and no commands were counted
  // without a rate limit.
  void Restore(AccountId account, const Counts& counts);

  // Nullopt where there are no limits.
  std::optional<Counts> Find(AccountId account) const;

  // In the order of the accounts, those with limits. A copy: not for every command.
  std::map<AccountId, Counts> accounts() const;

  // For whoever keeps something up to date with limits, seconds and commands (AccountDigest): the
  // accounts of which they may have changed since the last call, in no order that means anything.
  // The first call names everyone who has or had limits, and from then on changes are remembered.
  void TakeChanges(absl::FunctionRef<void(AccountId)> limits_of) const;

 private:
  struct alignas(64) Account {
    RiskLimits limits;
    uint64_t open_orders = 0;
    // Of the last second with commands that count, its last nanosecond: log time does not go back,
    // so one comparison tells whether it is over.
    Timestamp second_last = LastOf(0);
    uint64_t commands = 0;
    AccountId id;
    bool is_limited = false;
    mutable bool is_changed = true;  // Will be told, or nobody has asked yet.
  };
  static_assert(sizeof(Account) == 64);

  // Whether a limit, of which zero is none, allows `value`. Says no to zero.
  static bool IsPlainlyWithin(uint64_t value, uint64_t limit) { return value - 1 <= limit - 1; }

  static Timestamp LastOf(int64_t second);
  static Counts CountsOf(const Account& account);
  static RejectReason Check(const Request& request, const Account& account);
  void Count(Account& account, Timestamp now);
  void MarkChanged(const Account& account) const;

  AccountIndex index_;  // Of accounts that have or had limits.
  std::vector<Account> accounts_;
  uint64_t limited_count_ = 0;  // Of them, those that have.

  // What TakeChanges will say. Not part of the state.
  mutable bool remembers_changes_ = false;
  mutable std::vector<AccountId> changed_;
};

inline bool RiskControl::GrantIfPlainlyWithin(const Command& request, int64_t micros,
                                              bool rests_already) {
  const uint32_t place = index_.FindFast(request.account);
  if (place >= AccountIndex::kUnknown) return place == AccountIndex::kNone;
  // One that has no limits any more is within them, and nobody asks what is counted of it.
  Account& account = accounts_[place];
  const RiskLimits& limits = account.limits;
  if (!IsPlainlyWithin(request.quantity.units(), limits.order_quantity_max.units())) return false;
  int64_t notional = static_cast<int64_t>(request.quantity.units());
  if (__builtin_mul_overflow(notional, request.price.units(), &notional) ||
      __builtin_mul_overflow(notional, micros, &notional) ||
      !IsPlainlyWithin(static_cast<uint64_t>(notional),
                       static_cast<uint64_t>(limits.order_notional_max.micros()))) {
    return false;
  }
  if (!rests_already && !IsPlainlyWithin(account.open_orders + 1, limits.open_orders_max)) {
    return false;
  }
  if (limits.orders_per_second_max != 0) {
    // The first of a second is for Count, and so is the first that will be told.
    if (request.timestamp > account.second_last || !account.is_changed ||
        account.commands - 1 >= limits.orders_per_second_max - 1) {
      return false;
    }
    ++account.commands;
  }
  account.open_orders += rests_already ? 0 : 1;
  return true;
}

inline bool RiskControl::CountCancelFast(AccountId account) {
  const uint32_t place = index_.FindFast(account);
  if (place >= AccountIndex::kUnknown) return place == AccountIndex::kNone;
  uint64_t& open_orders = accounts_[place].open_orders;
  if (open_orders == 0) return false;
  --open_orders;
  return true;
}

// Of log time, rounded down.
constexpr int64_t SecondOf(Timestamp time) {
  constexpr int64_t kNanosPerSecond = 1'000'000'000;
  const int64_t nanos = time.nanos();
  return nanos / kNanosPerSecond - (nanos % kNanosPerSecond < 0 ? 1 : 0);
}

}  // namespace engine

#endif  // ENGINE_CORE_RISK_CONTROL_H_
