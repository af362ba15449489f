#include "engine/views/account_view.h"

#include <cstdint>
#include <vector>

#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr AccountId kAnn = AccountId(1);
constexpr AccountId kBob = AccountId(2);
constexpr MarketId kRain = MarketId(5);

class AccountViewTest : public testing::Test {
 protected:
  void Open(AccountId account) {
    Event event;
    event.kind = EventKind::kAccountOpened;
    event.account = account;
    Hear(event);
  }
  void Pay(AccountId account, int64_t change, int64_t balance, int64_t fee = 0,
           uint64_t reserved = 0) {
    Event event;
    event.kind = EventKind::kBalance;
    event.account = account;
    event.price = Price::FromUnits(change);
    event.quantity = Quantity::FromUnits(static_cast<uint64_t>(fee));
    event.counter_order_id = OrderId(static_cast<uint64_t>(balance));
    event.quantity_remaining = Quantity::FromUnits(reserved);
    Hear(event);
  }
  void Hold(AccountId account, int64_t position) {
    Event event;
    event.kind = EventKind::kPosition;
    event.account = account;
    event.market = kRain;
    event.price = Price::FromUnits(position);
    Hear(event);
  }
  void Hear(const Event& event) { view_.OnEvents(Command(), {&event, 1}); }

  AccountView view_;
};

TEST_F(AccountViewTest, KnowsAccountsOnceTheyAreOpened) {
  EXPECT_EQ(view_.Find(kAnn), nullptr);
  Open(kAnn);
  ASSERT_NE(view_.Find(kAnn), nullptr);
  EXPECT_EQ(view_.Find(kAnn)->balance, Money());
  EXPECT_EQ(view_.Find(kBob), nullptr);
}

TEST_F(AccountViewTest, SumsChanges) {
  Open(kAnn);
  Pay(kAnn, 1'000'000, 1'000'000);
  Pay(kAnn, -537'500, 462'500, 17'500, 100);
  Pay(kAnn, 200, 462'700, -100, 300);
  EXPECT_EQ(view_.Find(kAnn)->balance, Money::FromMicros(462'700));
  EXPECT_EQ(view_.Find(kAnn)->reserved, Money::FromMicros(300));
}

TEST_F(AccountViewTest, PositionsAreThoseLastReported) {
  Open(kAnn);
  Open(kBob);
  Hold(kAnn, 100);
  Hold(kBob, -100);
  Hold(kAnn, 30);
  EXPECT_EQ(view_.Position(kAnn, kRain), 30);
  EXPECT_EQ(view_.Position(kBob, kRain), -100);
  EXPECT_EQ(view_.Position(kAnn, MarketId(6)), 0);
  EXPECT_EQ(view_.Position(AccountId(9), kRain), 0);
}

TEST_F(AccountViewTest, AClosedPositionIsForgotten) {
  Open(kAnn);
  Hold(kAnn, 100);
  Hold(kAnn, 0);
  EXPECT_TRUE(view_.Find(kAnn)->positions.empty());
}

TEST_F(AccountViewTest, IgnoresEventsOfOrders) {
  Event event;
  event.kind = EventKind::kTrade;
  event.account = kAnn;
  event.price = Price::FromUnits(100);
  Hear(event);
  EXPECT_EQ(view_.Find(kAnn), nullptr);
}

TEST_F(AccountViewTest, AccountsAreInTheOrderOfTheirNumbers) {
  Open(kBob);
  Open(kAnn);
  std::vector<AccountId> ids;
  for (const auto& [id, account] : view_.accounts()) ids.push_back(id);
  EXPECT_EQ(ids, (std::vector{kAnn, kBob}));
}

using AccountViewDeathTest = AccountViewTest;

TEST_F(AccountViewDeathTest, ABalanceThatDoesNotFollowIsACheckFailure) {
  Open(kAnn);
  EXPECT_DEATH(Pay(kAnn, 100, 200), "account 1");
  EXPECT_DEATH(Pay(kBob, 100, 100), "account 2 has not been opened");
}

}  // namespace
}  // namespace engine
