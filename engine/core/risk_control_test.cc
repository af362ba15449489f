// Each limit at its boundary.

#include "engine/core/risk_control.h"

#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/prng.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/names.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/risk_limits.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

using Rests = RiskControl::Request::Rests;

constexpr AccountId kAnn(1);

class RiskControlTest : public testing::Test {
 protected:
  RiskControlTest() { market_.price_decimals = 2; }

  std::string Ask(uint64_t quantity, int64_t cents, Rests rests = Rests::kYes,
                  AccountId account = kAnn) {
    return NameOf(risk_.Check({.account = account,
                               .market = market_,
                               .quantity = Quantity::FromUnits(quantity),
                               .price = Price::FromUnits(cents),
                               .now = now_,
                               .rests = rests}));
  }

  MarketDefinition market_;
  Timestamp now_ = Timestamp::FromNanos(5'500'000'000);
  RiskLimits limits_;
  RiskControl risk_;
};

TEST_F(RiskControlTest, WithoutLimitsEverythingIsAllowed) {
  EXPECT_EQ(Ask(kQuantityMax.units(), kPriceUnitsMax), "none");
  limits_.open_orders_max = 1;
  risk_.SetLimits(AccountId(2), limits_, 5);
  EXPECT_EQ(Ask(kQuantityMax.units(), kPriceUnitsMax), "none");
}

TEST_F(RiskControlTest, QuantityOfOneOrder) {
  limits_.order_quantity_max = Quantity::FromUnits(10);
  risk_.SetLimits(kAnn, limits_, 0);
  EXPECT_EQ(Ask(10, 1), "none");
  EXPECT_EQ(Ask(11, 1), "risk_order_quantity");
}

TEST_F(RiskControlTest, NotionalOfOneOrder) {
  limits_.order_notional_max = Money::FromDollars(10);
  risk_.SetLimits(kAnn, limits_, 0);
  EXPECT_EQ(Ask(10, 100), "none");
  EXPECT_EQ(Ask(10, 101), "risk_order_notional");
  EXPECT_EQ(Ask(kQuantityMax.units(), kPriceUnitsMax), "risk_order_notional");
}

TEST_F(RiskControlTest, ANegativePriceCountsAtItsAbsoluteValue) {
  limits_.order_notional_max = Money::FromDollars(10);
  risk_.SetLimits(kAnn, limits_, 0);
  EXPECT_EQ(Ask(10, -100), "none");
  EXPECT_EQ(Ask(10, -101), "risk_order_notional");
  EXPECT_EQ(Ask(kQuantityMax.units(), -kPriceUnitsMax), "risk_order_notional");
  market_.price_decimals = 9;
  market_.quantity_decimals = 2;
  limits_.order_notional_max = Money::FromMicros(1);
  risk_.SetLimits(kAnn, limits_, 0);
  EXPECT_EQ(Ask(1, -199'999), "none");
  EXPECT_EQ(Ask(1, -200'000), "risk_order_notional");
}

TEST_F(RiskControlTest, DecimalsBeyondTheMicroDollarAreDividedAway) {
  market_.price_decimals = 9;
  market_.quantity_decimals = 2;
  limits_.order_notional_max = Money::FromMicros(1);
  risk_.SetLimits(kAnn, limits_, 0);
  EXPECT_EQ(Ask(1, 199'999), "none");
  EXPECT_EQ(Ask(1, 200'000), "risk_order_notional");
}

TEST_F(RiskControlTest, OrdersThatRestAtTheSameTime) {
  limits_.open_orders_max = 2;
  risk_.SetLimits(kAnn, limits_, 1);
  EXPECT_EQ(Ask(1, 1), "none");
  risk_.CountResting(kAnn, 1);
  EXPECT_EQ(Ask(1, 1), "risk_open_orders");
  EXPECT_EQ(Ask(1, 1, Rests::kNo), "none");
  EXPECT_EQ(Ask(1, 1, Rests::kAlready), "none");
  EXPECT_EQ(Ask(1, 1, Rests::kInsteadOfAnother), "none");
  risk_.CountResting(kAnn, -1);
  EXPECT_EQ(Ask(1, 1), "none");
}

TEST_F(RiskControlTest, ALowerLimitThanOrdersRestRefusesReplacesToo) {
  limits_.open_orders_max = 1;
  risk_.SetLimits(kAnn, limits_, 2);
  EXPECT_EQ(Ask(1, 1, Rests::kInsteadOfAnother), "risk_open_orders");
  EXPECT_EQ(Ask(1, 1, Rests::kAlready), "none");
}

TEST_F(RiskControlTest, CommandsWithinASecondOfLogTime) {
  limits_.orders_per_second_max = 2;
  risk_.SetLimits(kAnn, limits_, 0);
  risk_.Count(kAnn, now_);
  EXPECT_EQ(Ask(1, 1), "none");
  risk_.Count(kAnn, now_);
  EXPECT_EQ(Ask(1, 1), "risk_order_rate");
  now_ = Timestamp::FromNanos(5'999'999'999);
  EXPECT_EQ(Ask(1, 1), "risk_order_rate");
  now_ = Timestamp::FromNanos(6'000'000'000);
  EXPECT_EQ(Ask(1, 1), "none");
}

TEST_F(RiskControlTest, NewLimitsStartCountingAgain) {
  limits_.orders_per_second_max = 1;
  risk_.SetLimits(kAnn, limits_, 0);
  risk_.Count(kAnn, now_);
  EXPECT_EQ(Ask(1, 1), "risk_order_rate");
  limits_.orders_per_second_max = 1;
  risk_.SetLimits(kAnn, limits_, 0);
  EXPECT_EQ(Ask(1, 1), "none");
}

TEST_F(RiskControlTest, ReasonsAreTriedInTheirOrder) {
  limits_.open_orders_max = 1;
  limits_.order_quantity_max = Quantity::FromUnits(1);
  limits_.order_notional_max = Money::FromMicros(1);
  limits_.orders_per_second_max = 1;
  risk_.SetLimits(kAnn, limits_, 1);
  risk_.Count(kAnn, now_);
  EXPECT_EQ(Ask(2, 1), "risk_order_quantity");
  EXPECT_EQ(Ask(1, 1), "risk_order_notional");
  EXPECT_EQ(Ask(1, 0), "risk_open_orders");
  EXPECT_EQ(Ask(1, 0, Rests::kNo), "risk_order_rate");
}

TEST_F(RiskControlTest, RemovingLimitsForgetsTheCounts) {
  limits_.open_orders_max = 1;
  risk_.SetLimits(kAnn, limits_, 1);
  EXPECT_EQ(risk_.accounts().size(), 1u);
  risk_.SetLimits(kAnn, {}, 1);
  EXPECT_TRUE(risk_.accounts().empty());
  EXPECT_FALSE(risk_.restricts_any());
  risk_.CountResting(kAnn, -1);  // Nothing is counted.
  risk_.SetLimits(kAnn, limits_, 0);
  EXPECT_TRUE(risk_.restricts_any());
  EXPECT_EQ(Ask(1, 1), "none");
}

TEST_F(RiskControlTest, StandingAndLimitsAreApart) {
  limits_.open_orders_max = 1;
  risk_.SetStanding(kAnn, AccountStanding::kSuspended);
  EXPECT_TRUE(risk_.restricts_any());
  EXPECT_TRUE(risk_.IsSuspended(kAnn));
  EXPECT_FALSE(risk_.IsSuspended(AccountId(2)));
  EXPECT_FALSE(risk_.Find(kAnn).has_value());
  risk_.SetLimits(kAnn, limits_, 0);
  risk_.SetLimits(kAnn, {}, 0);
  EXPECT_EQ(risk_.suspended(), std::vector<AccountId>{kAnn});
  risk_.SetLimits(kAnn, limits_, 1);
  risk_.SetStanding(kAnn, AccountStanding::kActive);
  EXPECT_FALSE(risk_.IsSuspended(kAnn));
  EXPECT_EQ(Ask(1, 1), "risk_open_orders");
  risk_.SetLimits(kAnn, {}, 0);
  EXPECT_FALSE(risk_.restricts_any());
}

TEST_F(RiskControlTest, ASuspendedAccountIsNotGrantedImmediately) {
  Command order;
  order.account = kAnn;
  order.quantity = Quantity::FromUnits(1);
  risk_.SetStanding(kAnn, AccountStanding::kSuspended);
  EXPECT_FALSE(risk_.GrantIfPlainlyWithin(order, 1, /*rests_already=*/false));
  risk_.SetStanding(kAnn, AccountStanding::kActive);
  EXPECT_TRUE(risk_.GrantIfPlainlyWithin(order, 1, /*rests_already=*/false));
}

TEST_F(RiskControlTest, TheFirstAndTheLastSecondOfTimeCountToo) {
  limits_.orders_per_second_max = 1;
  for (const int64_t nanos :
       {std::numeric_limits<int64_t>::min(), int64_t{-1}, std::numeric_limits<int64_t>::max()}) {
    risk_.SetLimits(kAnn, limits_, 0);
    now_ = Timestamp::FromNanos(nanos);
    EXPECT_EQ(Ask(1, 1), "none");
    risk_.Count(kAnn, now_);
    EXPECT_EQ(Ask(1, 1), "risk_order_rate");
    EXPECT_EQ(risk_.Find(kAnn)->second, SecondOf(now_));
  }
}

TEST_F(RiskControlTest, OtherAccountsAreNotAffected) {
  limits_.open_orders_max = 1;
  risk_.SetLimits(kAnn, limits_, 1);
  for (const uint32_t other : {0u, 2u, 1u << 30}) {
    EXPECT_EQ(Ask(1, 1, Rests::kYes, AccountId(other)), "none");
    EXPECT_FALSE(risk_.Find(AccountId(other)).has_value());
  }
}

// Two of them with the same requests: one uses the fast path where it can, the other never.
class FastGrant {
 public:
  explicit FastGrant(uint64_t seed) : prng_(seed) {}

  // Returns how many requests the fast path granted.
  int Run(int steps) {
    for (int step = 0; step < steps && !testing::Test::HasFailure(); ++step) {
      now_ += static_cast<int64_t>(prng_.Below(20'000'000));
      const AccountId account = kAccounts[prng_.Below(std::size(kAccounts))];
      const uint64_t choice = prng_.Below(100);
      if (choice < 2) {
        SetLimits(account);
      } else if (choice < 4) {
        EXPECT_EQ(TakeChanges(fast_), TakeChanges(asked_)) << step;
      } else if (choice < 40) {
        Leave(account);
      } else {
        Request(account, /*rests_already=*/choice < 50);
      }
      for (const AccountId any : kAccounts)
        EXPECT_EQ(Usage(fast_, any), Usage(asked_, any)) << step;
    }
    return granted_fast_;
  }

 private:
  // Two never have limits; of two the ids are far.
  static constexpr AccountId kAccounts[] = {AccountId(1), AccountId(1024), AccountId(1u << 23),
                                            AccountId(3), AccountId(1u << 24)};

  void SetLimits(AccountId account) {
    if (account == kAccounts[3] || account == kAccounts[4]) return;
    const auto or_none = [this](uint64_t most) { return prng_.Below(4) == 0 ? 0 : most; };
    const RiskLimits limits{
        .open_orders_max = or_none(1 + prng_.Below(5)),
        .order_quantity_max = Quantity::FromUnits(or_none(20)),
        .order_notional_max = Money::FromMicros(static_cast<int64_t>(or_none(200'000))),
        .orders_per_second_max = or_none(1 + prng_.Below(4)),
    };
    fast_.SetLimits(account, limits, resting_[account]);
    asked_.SetLimits(account, limits, resting_[account]);
  }

  void Leave(AccountId account) {
    if (resting_[account] == 0) return;
    --resting_[account];
    if (!fast_.CountCancelFast(account)) fast_.CountResting(account, -1);
    asked_.CountResting(account, -1);
  }

  void Request(AccountId account, bool rests_already) {
    MarketDefinition market;
    market.price_decimals = static_cast<uint8_t>(prng_.Below(7));
    market.quantity_decimals = static_cast<uint8_t>(prng_.Below(2));
    Command command;
    command.account = account;
    command.quantity = Quantity::FromUnits(1 + prng_.Below(22));
    command.price = Price::FromUnits(prng_.Between(-3, 10));
    if (prng_.Below(20) == 0) command.quantity = kQuantityMax;
    if (prng_.Below(20) == 0) command.price = Price::FromUnits(kPriceUnitsMax);
    command.timestamp = Timestamp::FromNanos(now_);
    const RiskControl::Request request{.account = account,
                                       .market = market,
                                       .quantity = command.quantity,
                                       .price = command.price,
                                       .now = command.timestamp,
                                       .rests = rests_already ? Rests::kAlready : Rests::kYes};
    const bool is_granted = Ask(asked_, request);
    if (fast_.GrantIfPlainlyWithin(command, RiskControl::MicrosOf(market), rests_already)) {
      EXPECT_TRUE(is_granted);
      granted_fast_ += fast_.Find(account).has_value() ? 1 : 0;
    } else {
      EXPECT_EQ(Ask(fast_, request), is_granted);
    }
    if (is_granted && !rests_already) ++resting_[account];
  }

  static bool Ask(RiskControl& risk, const RiskControl::Request& request) {
    if (risk.Check(request) != RejectReason::kNone) return false;
    risk.Count(request.account, request.now);
    if (request.rests == Rests::kYes) risk.CountResting(request.account, 1);
    return true;
  }

  static std::set<AccountId> TakeChanges(const RiskControl& risk) {
    std::set<AccountId> changed;
    risk.TakeChanges([&](AccountId account) { changed.insert(account); });
    return changed;
  }

  static std::string Usage(const RiskControl& risk, AccountId account) {
    const std::optional<RiskControl::Counts> counts = risk.Find(account);
    return counts ? absl::StrCat(counts->open_orders, " open, ", counts->commands, " in second ",
                                 counts->second)
                  : "none";
  }

  Prng prng_;
  int64_t now_ = -1'000'000'000;
  std::map<AccountId, uint64_t> resting_;
  RiskControl fast_;
  RiskControl asked_;
  int granted_fast_ = 0;
};

TEST(RiskControl, TheFastPathGrantsWhatTheReasonsAllow) {
  int granted_fast = 0;
  for (uint64_t seed = 1; seed <= 50; ++seed) granted_fast += FastGrant(seed).Run(2000);
  EXPECT_GT(granted_fast, 2000);
}

TEST(SecondOf, IsRoundedDown) {
  EXPECT_EQ(SecondOf(Timestamp::FromNanos(999'999'999)), 0);
  EXPECT_EQ(SecondOf(Timestamp::FromNanos(1'000'000'000)), 1);
  EXPECT_EQ(SecondOf(Timestamp::FromNanos(-1)), -1);
  EXPECT_EQ(SecondOf(Timestamp::FromNanos(-1'000'000'000)), -1);
  EXPECT_EQ(SecondOf(Timestamp::FromNanos(std::numeric_limits<int64_t>::min())), -9'223'372'037);
}

}  // namespace
}  // namespace engine
