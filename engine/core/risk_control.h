// What an account may do at most, and how much of it it has done. Accounts without limits cost
// nothing: nothing is counted for them.

#ifndef ENGINE_CORE_RISK_CONTROL_H_
#define ENGINE_CORE_RISK_CONTROL_H_

#include <cstdint>
#include <map>

#include "engine/base/timestamp.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/risk_limits.h"

namespace engine {

// Not thread-safe: owned by the exchange.
class RiskControl {
 public:
  RiskControl() = default;
  RiskControl(const RiskControl&) = delete;
  RiskControl& operator=(const RiskControl&) = delete;

  // Whether any account has.
  bool has_limits() const { return !accounts_.empty(); }

  // What an account wants: a new, replaced or amended order.
  struct Wish {
    AccountId account;
    const MarketDefinition& market;
    Quantity quantity;  // In total.
    Price price;        // The worst.
    Timestamp now;
    enum class Rests { kNo, kYes, kInsteadOfAnother, kAlready } rests = Rests::kYes;
  };

  // Tries the reasons in their order. Changes nothing.
  RejectReason Check(const Wish& wish) const {
    return accounts_.empty() ? RejectReason::kNone : CheckLimited(wish);
  }

  // A wish was granted.
  void Count(AccountId account, Timestamp now) {
    if (!accounts_.empty()) CountLimited(account, now);
  }

  // An order of `account` came to rest (+1), or left the book (−1).
  void CountResting(AccountId account, int change) {
    if (!accounts_.empty()) CountRestingLimited(account, change);
  }

  // Of any account but the anonymous one, which has no limits. Counting begins anew, from
  // `open_orders` that rest now.
  void SetLimits(AccountId account, const RiskLimits& limits, uint64_t open_orders);

  struct Counts {
    RiskLimits limits;  // Not RiskLimits().
    uint64_t open_orders = 0;
    int64_t second = 0;  // Of log time: the last with commands that count.
    uint64_t commands = 0;
  };

  // In the order of the accounts, those with limits.
  const std::map<AccountId, Counts>& accounts() const { return accounts_; }

 private:
  RejectReason CheckLimited(const Wish& wish) const;
  void CountLimited(AccountId account, Timestamp now);
  void CountRestingLimited(AccountId account, int change);

  std::map<AccountId, Counts> accounts_;
};

// Of log time, rounded down.
int64_t SecondOf(Timestamp time);

}  // namespace engine

#endif  // ENGINE_CORE_RISK_CONTROL_H_
