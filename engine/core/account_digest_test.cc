// After any changes of accounts, limits and groups, the kept digest equals that of a walk.

#include "engine/core/account_digest.h"

#include <algorithm>
#include <cstdint>
#include <map>

#include "engine/base/digest.h"
#include "engine/base/prng.h"
#include "engine/base/timestamp.h"
#include "engine/core/contract_money.h"
#include "engine/core/ledger.h"
#include "engine/core/order_groups.h"
#include "engine/core/risk_control.h"
#include "engine/messages/reject_reason.h"
#include "engine/state/state_digest.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/risk_limits.h"
#include "engine/types/side.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

ContractMoney Cents() {
  MarketDefinition market;
  market.kind = MarketKind::kBinary;
  market.price_decimals = 2;
  return ContractMoney(market);
}

RiskLimits RateLimit(uint64_t orders_per_second_max) {
  RiskLimits limits;
  limits.orders_per_second_max = orders_per_second_max;
  return limits;
}

// Six accounts, of which some are open; three markets; two groups each.
class AccountDigestTest : public testing::Test {
 protected:
  Digest Updated() { return digest_.Update(ledger_, risk_, groups_, now_); }

  Digest Walked() const {
    DigestSum sum;
    std::map<AccountId, AccountStatus> accounts;
    for (const auto& [id, counts] : risk_.accounts()) {
      accounts[id].limits = counts.limits;
      accounts[id].rate_second = counts.second;
      accounts[id].rate_count = counts.commands;
    }
    ledger_.VisitAccounts([&](AccountId id, const AccountState& state) {
      accounts[id].is_open = true;
      accounts[id].balance = state.balance;
    });
    for (const AccountId id : risk_.suspended()) {
      accounts[id].standing = AccountStanding::kSuspended;
    }
    for (auto& [id, status] : accounts) {
      status.account = id;
      AddAccountStatus(status, sum);
    }
    ledger_.VisitPositions([&](AccountId account, MarketId market, int64_t position) {
      AddPosition(account, market, position, sum);
    });
    for (const auto& [key, group] : groups_.all()) {
      AddGroupStatus({key.first, key.second, group.limit, group.window_nanos, group.is_tripped},
                     sum);
      for (const OrderGroups::Fill& fill : group.fills) {
        if (!OrderGroups::IsWithin(group, fill, now_)) continue;
        AddGroupFill(key.first, key.second, fill.time, fill.quantity, sum);
      }
    }
    return sum.value();
  }

  void Advance(int64_t nanos) { now_ = Timestamp::FromNanos(now_.nanos() + nanos); }

  void Fund(AccountId account) {
    ledger_.Open(account);
    ASSERT_EQ(ledger_.Deposit(account, Money::FromDollars(1000)), RejectReason::kNone);
  }
  void Trade(AccountId account, MarketId market, Side side, uint64_t quantity) {
    const Quantity traded = Quantity::FromUnits(quantity);
    const Quantity closed = std::min(traded, ledger_.Closable(account, market, side));
    ledger_.Apply(account, market, money_, side, traded,
                  money_.Fill(side, traded, Price::FromUnits(40), closed, FeeRole::kTaker, {}),
                  Money());
  }
  void AnyStep(Prng& prng);

  const ContractMoney money_ = Cents();
  Timestamp now_;
  Ledger ledger_;
  RiskControl risk_;
  OrderGroups groups_;
  AccountDigest digest_;
};

void AccountDigestTest::AnyStep(Prng& prng) {
  const AccountId account(static_cast<uint32_t>(1 + prng.Below(6)));
  const MarketId market(static_cast<uint32_t>(1 + prng.Below(3)));
  const OrderGroups::Key key = {account, GroupId(static_cast<uint16_t>(1 + prng.Below(2)))};
  Advance(prng.Between(0, 3));
  switch (prng.Below(10)) {
    case 0:
      return Fund(account);
    case 1:
      ledger_.Withdraw(account, Money::FromDollars(1));
      return;
    case 2:
    case 3:
      if (ledger_.IsOpen(account)) {
        Trade(account, market, prng.Chance(50) ? Side::kBid : Side::kAsk, 1 + prng.Below(3));
      }
      return;
    case 4:
      ledger_.Settle(market, money_, Price::FromUnits(50), [](const Ledger::Payment&) {});
      return;
    case 5:
      return risk_.SetLimits(account, RateLimit(prng.Below(3)), 0);
    case 6:
      return risk_.Count(account, now_);
    case 7:
      if (ledger_.IsOpen(account)) {
        risk_.SetStanding(account,
                          prng.Chance(50) ? AccountStanding::kSuspended : AccountStanding::kActive);
      }
      return;
    case 8:
      if (prng.Chance(50)) {
        groups_.Define(key, Quantity::FromUnits(5), prng.Between(1, 9), now_);
      } else if (prng.Chance(50) && groups_.all().contains(key)) {
        groups_.Delete(key);
      } else {
        groups_.Reset(key);
      }
      return;
    default:
      if (groups_.all().contains(key)) groups_.AddFill(key, now_, Quantity::FromUnits(2));
      groups_.TakeTrips();
      return;
  }
}

TEST_F(AccountDigestTest, AnEmptyStateHasNoDigest) { EXPECT_EQ(Updated(), Digest()); }

TEST_F(AccountDigestTest, TheFirstUpdateFindsWhatWasThereBefore) {
  Fund(AccountId(1));
  Trade(AccountId(1), MarketId(2), Side::kBid, 3);
  risk_.SetLimits(AccountId(7), RateLimit(3), 0);
  groups_.Define({AccountId(1), GroupId(1)}, Quantity::FromUnits(5), 10, now_);
  EXPECT_NE(Walked(), Digest());
  EXPECT_EQ(Updated(), Walked());
  EXPECT_EQ(Updated(), Walked());
}

TEST_F(AccountDigestTest, TimeAloneTakesFillsOutOfTheirWindow) {
  groups_.Define({AccountId(1), GroupId(1)}, Quantity::FromUnits(5), 10, now_);
  groups_.AddFill({AccountId(1), GroupId(1)}, now_, Quantity::FromUnits(1));
  const Digest with_fill = Updated();
  Advance(9);
  EXPECT_EQ(Updated(), with_fill);
  Advance(1);
  EXPECT_NE(Updated(), with_fill);
  EXPECT_EQ(Updated(), Walked());
}

TEST_F(AccountDigestTest, EqualsThatOfAWalkAfterAnyChanges) {
  Prng prng(1);
  for (int step = 0; step < 20'000; ++step) {
    AnyStep(prng);
    if (prng.Chance(20)) {
      ASSERT_EQ(Updated(), Walked()) << "step " << step;
    }
  }
}

}  // namespace
}  // namespace engine
