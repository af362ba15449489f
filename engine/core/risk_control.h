// The risk limits of accounts, what counts against them, and which accounts are suspended. Nothing
// is counted for accounts without limits, so they cost nothing.
//
//   account id ─► place ─► [ limits · open orders · second · commands · obstacles ]   a cache line
//
// Every new order checks and counts, every order that leaves counts, and neither needs anything
// else of the account: so these share a cache line, apart from the account's money. An account is
// restricted if it has limits or an obstacle: it is suspended, or has a position limit
// (position_limits.h). Of an account with an obstacle the rules apply every new order.

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
#include "engine/types/lifecycle.h"
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

  // Whether any account is restricted.
  bool restricts_any() const { return restricted_count_ != 0; }

  // A request for a new, replaced or amended order.
  struct Request {
    AccountId account;
    const MarketDefinition& market;
    Quantity quantity;  // In total; at most kQuantityMax.
    Price price;        // The price at which it counts; may be negative.
    Timestamp now;
    enum class Rests { kNo, kYes, kInsteadOfAnother, kAlready } rests = Rests::kYes;
  };

  // Validates: returns the first reason that applies, in the order of RULES.md, 12, or kNone.
  // Changes nothing.
  RejectReason Check(const Request& request) const {
    const uint32_t place = index_.Find(request.account);
    return place == AccountIndex::kNone ? RejectReason::kNone : Check(request, accounts_[place]);
  }

  // What a unit of quantity costs at a price of one unit, in micro-dollars: a power of ten, or zero
  // if that is less than one micro-dollar.
  static int64_t MicrosOf(const MarketDefinition& market);

  // Grants and counts an order or an amend with a limit price that is plainly within every limit of
  // an account without obstacles; the order will rest, or rests already. On false nothing has
  // changed: call Check. `micros` is MicrosOf the market. Calls no function.
  ENGINE_ALWAYS_INLINE bool GrantIfPlainlyWithin(const Command& request, int64_t micros,
                                                 bool rests_already);

  // Counts a granted request.
  void Count(AccountId account, Timestamp now) {
    if (!restricts_any()) return;
    const uint32_t place = index_.Find(account);
    if (place != AccountIndex::kNone) Count(accounts_[place], now);
  }

  // Counts an order of `account` that entered (+1) or left the book (−1).
  void CountResting(AccountId account, int change) {
    const uint32_t place = index_.Find(account);
    if (place == AccountIndex::kNone || !accounts_[place].is_limited) return;
    uint64_t& open_orders = accounts_[place].open_orders;
    CHECK(change > 0 || open_orders > 0) << "account " << account;
    open_orders += static_cast<uint64_t>(static_cast<int64_t>(change));
  }

  // The same for an order that left. On false nothing has changed: call CountResting.
  ENGINE_ALWAYS_INLINE bool CountCancelFast(AccountId account);

  // Sets limits; RiskLimits() removes them. Counting restarts, with `open_orders` that rest now.
  // REQUIRES: the account is not zero.
  void SetLimits(AccountId account, const RiskLimits& limits, uint64_t open_orders);

  // REQUIRES: the account is not zero; it has no live orders if it becomes suspended.
  void SetStanding(AccountId account, AccountStanding standing);
  // REQUIRES: the account is not zero.
  void SetPositionLimited(AccountId account, bool is_limited);

  AccountStanding StandingOf(AccountId account) const {
    return (ObstaclesOf(account) & kSuspended) != 0 ? AccountStanding::kSuspended
                                                    : AccountStanding::kActive;
  }
  bool IsSuspended(AccountId account) const {
    return restricts_any() && StandingOf(account) == AccountStanding::kSuspended;
  }
  bool HasPositionLimit(AccountId account) const {
    return (ObstaclesOf(account) & kPositionLimited) != 0;
  }
  bool HasObstacle(AccountId account) const { return ObstaclesOf(account) != 0; }
  // By id. Visits all accounts: too slow for every command.
  std::vector<AccountId> suspended() const;

  struct Counts {
    RiskLimits limits;  // Not RiskLimits().
    uint64_t open_orders = 0;
    int64_t second = 0;  // Of log time: the last second with commands that count.
    uint64_t commands = 0;
  };

  // Restores the counts of a snapshot. REQUIRES: the account has no limits yet; counts.commands is
  // zero without a rate limit.
  void Restore(AccountId account, const Counts& counts);

  // Nullopt when the account has no limits.
  std::optional<Counts> Find(AccountId account) const;

  // The accounts with limits, by id. A copy: too slow for every command.
  std::map<AccountId, Counts> accounts() const;

  // Names the accounts whose limits, second, commands or standing may have changed since the last
  // call, for incremental updates (AccountDigest), in an unspecified order. The first call names
  // every account that is or was restricted; only from then on are changes recorded.
  void TakeChanges(absl::FunctionRef<void(AccountId)> limits_of) const;

 private:
  // Why the fast path leaves the account's new orders to the rules, one bit each.
  static constexpr uint8_t kSuspended = 1;
  static constexpr uint8_t kPositionLimited = 2;

  struct alignas(64) Account {
    RiskLimits limits;
    uint64_t open_orders = 0;
    // The last nanosecond of the last second with commands that count: log time does not go back,
    // so one comparison tells whether that second is over.
    Timestamp second_last = LastOf(0);
    uint64_t commands = 0;
    AccountId id;
    bool is_limited = false;
    uint8_t obstacles = 0;
    mutable bool is_changed = true;  // TakeChanges will name it, or has not been called yet.
  };
  static_assert(sizeof(Account) == 64);
  static bool IsRestricted(const Account& account) {
    return account.is_limited || account.obstacles != 0;
  }
  uint8_t ObstaclesOf(AccountId account) const {
    const uint32_t place = index_.Find(account);
    return place == AccountIndex::kNone ? uint8_t{0} : accounts_[place].obstacles;
  }

  // Whether `value` is within `limit`, where zero is no limit. False for a value of zero if there
  // is a limit.
  static bool IsPlainlyWithin(uint64_t value, uint64_t limit) { return value - 1 <= limit - 1; }

  static Timestamp LastOf(int64_t second);
  static Counts CountsOf(const Account& account);
  static RejectReason Check(const Request& request, const Account& account);
  void Count(Account& account, Timestamp now);
  void SetObstacle(AccountId account, uint8_t obstacle, bool is_set);
  // Finds or adds the account, applies `change` to it, and counts whether it is restricted.
  void Change(AccountId account, absl::FunctionRef<void(Account&)> change);
  void MarkChanged(const Account& account) const;

  AccountIndex index_;  // Of accounts that are or were restricted.
  std::vector<Account> accounts_;
  uint64_t restricted_count_ = 0;

  // What TakeChanges will name. Not part of the state.
  mutable bool remembers_changes_ = false;
  mutable std::vector<AccountId> changed_;
};

inline bool RiskControl::GrantIfPlainlyWithin(const Command& request, int64_t micros,
                                              bool rests_already) {
  const uint32_t place = index_.FindFast(request.account);
  if (place >= AccountIndex::kUnknown) return place == AccountIndex::kNone;
  // An account that is not restricted any more passes every check, and its counts are never read.
  Account& account = accounts_[place];
  if (account.obstacles != 0) [[unlikely]]
    return false;
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
    // Count handles the first command of a second and the first change since TakeChanges.
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

// The second of log time, rounded down.
constexpr int64_t SecondOf(Timestamp time) {
  constexpr int64_t kNanosPerSecond = 1'000'000'000;
  const int64_t nanos = time.nanos();
  return nanos / kNanosPerSecond - (nanos % kNanosPerSecond < 0 ? 1 : 0);
}

}  // namespace engine

#endif  // ENGINE_CORE_RISK_CONTROL_H_
