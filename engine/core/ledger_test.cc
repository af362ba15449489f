// Balances, reserved money and payments; the sums are checked after each step.

#include "engine/core/ledger.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/core/contract_money.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr AccountId kAnn(1);
constexpr AccountId kBob(2);
constexpr MarketId kRain(7);

// Prices in cents, whole contracts, no fees.
ContractMoney Cents() {
  MarketDefinition market;
  market.kind = MarketKind::kBinary;
  market.price_decimals = 2;
  return ContractMoney(market);
}

class LedgerTest : public testing::Test {
 protected:
  ~LedgerTest() override { ExpectSound(); }

  void ExpectSound() {
    ledger_.CheckInvariants([this](MarketId) -> const ContractMoney& { return money_; });
  }

  void Fund(AccountId account, int64_t dollars) {
    ASSERT_EQ(ledger_.Open(account), RejectReason::kNone);
    ASSERT_EQ(ledger_.Deposit(account, Money::FromDollars(dollars)), RejectReason::kNone);
  }

  // `account` trades as `side`; nothing of its order rests.
  void Fill(AccountId account, Side side, uint64_t quantity, int64_t cents) {
    const Quantity traded = Quantity::FromUnits(quantity);
    const Quantity closed = std::min(traded, ledger_.Closable(account, kRain, side));
    const FillMoney fill =
        money_.Fill(side, traded, Price::FromUnits(cents), closed, FeeRole::kTaker, Money());
    ledger_.Apply(account, kRain, money_, side, traded, fill, Money());
  }
  void Trade(AccountId buyer, AccountId seller, uint64_t quantity, int64_t cents) {
    Fill(buyer, Side::kBid, quantity, cents);
    Fill(seller, Side::kAsk, quantity, cents);
    ExpectSound();
  }

  std::string Balance(AccountId account) { return ledger_.StateOf(account).balance.ToString(); }
  std::string Reserved(AccountId account) { return ledger_.StateOf(account).reserved.ToString(); }

  const ContractMoney money_ = Cents();
  Ledger ledger_;
};

TEST_F(LedgerTest, AccountsAreOpenedOnce) {
  EXPECT_EQ(ledger_.Open(AccountId()), RejectReason::kUnknownAccount);
  EXPECT_FALSE(ledger_.IsOpen(kAnn));
  EXPECT_EQ(ledger_.Open(kAnn), RejectReason::kNone);
  EXPECT_TRUE(ledger_.IsOpen(kAnn));
  EXPECT_EQ(ledger_.Open(kAnn), RejectReason::kAccountAlreadyOpen);
}

TEST_F(LedgerTest, AmountsAreWholeBalanceSteps) {
  EXPECT_EQ(ledger_.Deposit(kAnn, Money::FromDollars(1)), RejectReason::kUnknownAccount);
  EXPECT_EQ(ledger_.Withdraw(kAnn, Money::FromDollars(1)), RejectReason::kUnknownAccount);
  ASSERT_EQ(ledger_.Open(kAnn), RejectReason::kNone);
  for (const int64_t micros :
       {int64_t{0}, int64_t{-100}, int64_t{1}, int64_t{150}, std::numeric_limits<int64_t>::min(),
        std::numeric_limits<int64_t>::max()}) {
    EXPECT_EQ(ledger_.Deposit(kAnn, Money::FromMicros(micros)), RejectReason::kInvalidAmount);
    EXPECT_EQ(ledger_.Withdraw(kAnn, Money::FromMicros(micros)), RejectReason::kInvalidAmount);
  }
  EXPECT_EQ(ledger_.Deposit(kAnn, Money::FromMicros(100)), RejectReason::kNone);
  EXPECT_EQ(ledger_.Withdraw(kAnn, Money::FromMicros(200)), RejectReason::kInsufficientFunds);
  EXPECT_EQ(ledger_.Withdraw(kAnn, Money::FromMicros(100)), RejectReason::kNone);
  EXPECT_EQ(ledger_.held(), Money());
}

TEST_F(LedgerTest, AllAccountsTogetherStayBelowTheMaximum) {
  ASSERT_EQ(ledger_.Open(kAnn), RejectReason::kNone);
  ASSERT_EQ(ledger_.Open(kBob), RejectReason::kNone);
  for (int i = 0; i < 1000; ++i) {  // Far beyond 64 bits in total.
    ASSERT_EQ(ledger_.Deposit(kAnn, kMoneyMax), RejectReason::kNone);
    ASSERT_EQ(ledger_.Deposit(kBob, Money::FromMicros(100)), RejectReason::kAmountOutOfRange);
    ASSERT_EQ(ledger_.Withdraw(kAnn, kMoneyMax), RejectReason::kNone);
  }
  EXPECT_EQ(ledger_.Deposit(kBob, kMoneyMax + Money::FromMicros(100)),
            RejectReason::kAmountOutOfRange);
}

TEST_F(LedgerTest, NoMoreIsReleasedThanOrdersRequire) {
  Fund(kAnn, 10);
  const Money step = Money::FromMicros(kBalanceStepMicros);
  ledger_.Require(kAnn, kRain, Side::kBid, Money::FromDollars(3));
  ledger_.Require(kAnn, kRain, Side::kAsk, Money::FromDollars(4));
  const Ledger::Party ann = ledger_.FindParty(kAnn, kRain);
  EXPECT_DEATH(ledger_.Release(ann, Side::kBid, Money::FromDollars(3) + step), "has not reserved");
  ledger_.Release(ann, Side::kBid, Money::FromDollars(3));
  EXPECT_EQ(Reserved(kAnn), "4.000000");
  EXPECT_DEATH(ledger_.Release(ann, Side::kBid, step), "has not reserved");
  ledger_.Release(ann, Side::kAsk, Money::FromDollars(4));
  EXPECT_EQ(Reserved(kAnn), "0.000000");
}

TEST_F(LedgerTest, YesAndNoOfOneAccountPayOutImmediately) {
  Fund(kAnn, 10);
  Fund(kBob, 10);
  Trade(kAnn, kBob, 10, 40);
  EXPECT_EQ(Balance(kAnn), "6.000000");
  EXPECT_EQ(Balance(kBob), "4.000000");
  EXPECT_EQ(ledger_.PositionOf(kAnn, kRain), 10);
  EXPECT_EQ(ledger_.PositionOf(kBob, kRain), -10);
  Trade(kBob, kAnn, 4, 50);  // Each closes four.
  EXPECT_EQ(Balance(kAnn), "8.000000");
  EXPECT_EQ(Balance(kBob), "6.000000");
  Trade(kBob, kAnn, 8, 50);  // Six close, two open the other way.
  EXPECT_EQ(Balance(kAnn), "10.000000");
  EXPECT_EQ(Balance(kBob), "8.000000");
  EXPECT_EQ(ledger_.PositionOf(kAnn, kRain), -2);
}

TEST_F(LedgerTest, OrdersThatClosePairsReserveOnlyWhatExceedsThem) {
  Fund(kAnn, 10);
  Fund(kBob, 10);
  Trade(kAnn, kBob, 10, 40);
  const auto with = [&](Side side, int64_t dollars) {
    return ledger_.ReservedWith(kAnn, kRain, side, Money::FromDollars(dollars)).ToString();
  };
  EXPECT_EQ(with(Side::kAsk, 10), "0.000000");
  EXPECT_EQ(with(Side::kAsk, 12), "2.000000");
  EXPECT_EQ(with(Side::kBid, 2), "2.000000");
  ledger_.Require(kAnn, kRain, Side::kAsk, Money::FromDollars(12));
  EXPECT_EQ(Reserved(kAnn), "2.000000");
  EXPECT_EQ(with(Side::kBid, 3), "5.000000");
  EXPECT_EQ(ledger_.Withdraw(kAnn, Money::FromMicros(4'000'100)), RejectReason::kInsufficientFunds);
  EXPECT_EQ(ledger_.Withdraw(kAnn, Money::FromDollars(4)), RejectReason::kNone);
  ledger_.Require(kAnn, kRain, Side::kAsk, -Money::FromDollars(12));
  EXPECT_EQ(Reserved(kAnn), "0.000000");
}

TEST_F(LedgerTest, SettlementPaysInTheOrderOfTheAccounts) {
  Fund(kBob, 10);
  Fund(kAnn, 10);
  Trade(kAnn, kBob, 3, 40);
  std::vector<AccountId> paid;
  ledger_.Settle(kRain, money_, Price::FromUnits(25), [&](const Ledger::Payment& payment) {
    paid.push_back(payment.account);
    EXPECT_EQ(payment.position, payment.account == kAnn ? 3 : -3);
    EXPECT_EQ(payment.change.ToString(), payment.account == kAnn ? "0.750000" : "2.250000");
    EXPECT_EQ(payment.fee, Money());
  });
  EXPECT_EQ(paid, (std::vector<AccountId>{kAnn, kBob}));
  EXPECT_EQ(Balance(kAnn), "9.550000");
  EXPECT_EQ(Balance(kBob), "10.450000");
  EXPECT_EQ(ledger_.PositionOf(kAnn, kRain), 0);
}

TEST_F(LedgerTest, CanReserveIsWhatReservedWithAllows) {
  Fund(kAnn, 10);
  const auto can = [&](Side side, int64_t micros) {
    const Money more = Money::FromMicros(micros);
    const bool covered = ledger_.CanReserve(kAnn, kRain, side, more);
    EXPECT_EQ(covered,
              ledger_.ReservedWith(kAnn, kRain, side, more) <= ledger_.StateOf(kAnn).balance);
    return covered;
  };
  EXPECT_TRUE(can(Side::kBid, 10'000'000));
  EXPECT_FALSE(can(Side::kBid, 10'000'100));
  ledger_.Require(kAnn, kRain, Side::kBid, Money::FromDollars(4));
  EXPECT_TRUE(can(Side::kAsk, 6'000'000));
  EXPECT_FALSE(can(Side::kAsk, 6'000'100));
  ledger_.Require(kAnn, kRain, Side::kBid, -Money::FromDollars(4));
}

TEST_F(LedgerTest, ChangesAreReportedOnce) {
  const auto changes = [&] {
    std::vector<std::string> reported;
    ledger_.TakeChanges(
        [&](AccountId account) { reported.push_back(absl::StrCat("account ", account.value())); },
        [&](AccountId account, MarketId market) {
          reported.push_back(absl::StrCat("position ", account.value(), " in ", market.value()));
        });
    return reported;
  };
  Fund(kAnn, 10);
  Fund(kBob, 10);
  using Changes = std::vector<std::string>;
  EXPECT_EQ(changes(), (Changes{"account 1", "account 2"}));
  EXPECT_EQ(changes(), Changes());
  ledger_.Require(kAnn, kRain, Side::kBid, Money::FromDollars(1));
  ledger_.Require(kAnn, kRain, Side::kBid, -Money::FromDollars(1));
  EXPECT_EQ(changes(), Changes()) << "what is reserved is no part of the state";
  Trade(kAnn, kBob, 1, 50);
  Trade(kAnn, kBob, 1, 50);
  EXPECT_EQ(changes(), (Changes{"account 1", "account 2", "position 1 in 7", "position 2 in 7"}));
  ASSERT_EQ(ledger_.Withdraw(kBob, Money::FromDollars(1)), RejectReason::kNone);
  EXPECT_EQ(changes(), (Changes{"account 2"}));
}

TEST_F(LedgerTest, ManyAccountsInManyMarketsAreKeptApart) {
  constexpr uint32_t kAccounts = 200;
  constexpr uint32_t kMarkets = 50;
  const auto dollars = [](uint32_t account, uint32_t market) {
    return Money::FromDollars(account * 7 % 5 + market % 3);
  };
  for (uint32_t account = kAccounts; account > 0; --account) Fund(AccountId(account), 1000);
  for (uint32_t market = 1; market <= kMarkets; ++market) {
    for (uint32_t account = 1; account <= kAccounts; ++account) {
      ledger_.Require(AccountId(account), MarketId(market), Side::kAsk, dollars(account, market));
    }
  }
  ExpectSound();
  for (uint32_t account = 1; account <= kAccounts; ++account) {
    Money sum;
    for (uint32_t market = 1; market <= kMarkets; ++market) sum += dollars(account, market);
    EXPECT_EQ(ledger_.StateOf(AccountId(account)).reserved, sum);
  }
  AccountId last;
  ledger_.VisitAccounts([&](AccountId account, const AccountState&) {
    EXPECT_GT(account, last);
    last = account;
  });
}

TEST_F(LedgerTest, AnUnknownAccountHasNoPosition) {
  EXPECT_EQ(ledger_.PositionOf(kAnn, kRain), 0);
  Fund(kAnn, 1);
  EXPECT_EQ(ledger_.PositionOf(kAnn, MarketId(9)), 0);
}

}  // namespace
}  // namespace engine
