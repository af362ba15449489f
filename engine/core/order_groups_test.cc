// The rolling window, and what trips a group.

#include "engine/core/order_groups.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "engine/base/timestamp.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/quantity.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

const OrderGroups::Key kGroup = {AccountId(1), GroupId(7)};

class OrderGroupsTest : public testing::Test {
 protected:
  void Define(uint64_t limit, int64_t window, int64_t now = 0) {
    ASSERT_EQ(groups_.Define(kGroup, Quantity::FromUnits(limit), window, Timestamp::FromNanos(now)),
              RejectReason::kNone);
  }
  // Whether a command with this one fill trips the group.
  bool FillTrips(int64_t time, uint64_t quantity) {
    groups_.AddFill(kGroup, Timestamp::FromNanos(time), Quantity::FromUnits(quantity));
    return !groups_.TakeTrips().empty();
  }

  OrderGroups groups_;
};

TEST_F(OrderGroupsTest, AGroupHasAnAccountANumberALimitAndAWindow) {
  const auto define = [&](uint32_t account, uint32_t group, uint64_t limit, int64_t window) {
    return groups_.Define({AccountId(account), GroupId(group)}, Quantity::FromUnits(limit), window,
                          Timestamp());
  };
  EXPECT_EQ(define(0, 1, 1, 1), RejectReason::kUnknownAccount);
  EXPECT_EQ(define(1, 0, 1, 1), RejectReason::kMalformedGroup);
  EXPECT_EQ(define(1, 1, 0, 1), RejectReason::kMalformedGroup);
  EXPECT_EQ(define(1, 1, 1, 0), RejectReason::kMalformedGroup);
  EXPECT_EQ(define(1, 1, 1, -1), RejectReason::kMalformedGroup);
  EXPECT_TRUE(groups_.all().empty());
  EXPECT_EQ(define(1, 1, 1, 1), RejectReason::kNone);
}

TEST_F(OrderGroupsTest, ItTripsWhenTheLimitIsReached) {
  Define(10, 100);
  EXPECT_FALSE(FillTrips(1, 9));
  EXPECT_TRUE(FillTrips(1, 1));
  EXPECT_EQ(groups_.CheckMember(kGroup), RejectReason::kGroupTripped);
}

TEST_F(OrderGroupsTest, WhatLeftTheWindowNoLongerCounts) {
  Define(10, 100);
  EXPECT_FALSE(FillTrips(0, 9));
  EXPECT_FALSE(FillTrips(100, 9));  // (0, 100].
  EXPECT_TRUE(FillTrips(199, 1));
}

TEST_F(OrderGroupsTest, AResetClearsTheTripAndTheWindow) {
  EXPECT_EQ(groups_.Reset(kGroup), RejectReason::kUnknownGroup);
  EXPECT_EQ(groups_.Reset({AccountId(), GroupId(7)}), RejectReason::kUnknownAccount);
  Define(10, 100);
  EXPECT_TRUE(FillTrips(1, 10));
  EXPECT_EQ(groups_.Reset(kGroup), RejectReason::kNone);
  EXPECT_EQ(groups_.CheckMember(kGroup), RejectReason::kNone);
  EXPECT_FALSE(FillTrips(1, 9));
}

TEST_F(OrderGroupsTest, RedefiningKeepsTheHistoryThatIsLeftAndTripsNothing) {
  Define(10, 100);
  EXPECT_FALSE(FillTrips(0, 5));
  EXPECT_FALSE(FillTrips(50, 4));
  Define(3, 1000, 120);  // The first has left the old window, and does not come back.
  EXPECT_TRUE(groups_.TakeTrips().empty());
  EXPECT_EQ(groups_.CheckMember(kGroup), RejectReason::kNone);
  EXPECT_EQ(groups_.all().at(kGroup).traded, Quantity::FromUnits(4));
  EXPECT_TRUE(FillTrips(130, 1));
}

TEST_F(OrderGroupsTest, ATrippedGroupStaysSo) {
  Define(1, 100);
  EXPECT_TRUE(FillTrips(0, 1));
  Define(100, 100, 500);
  EXPECT_EQ(groups_.CheckMember(kGroup), RejectReason::kGroupTripped);
}

TEST_F(OrderGroupsTest, ATripNamesTheOrdersInOrder) {
  Define(1, 100);
  for (const uint64_t id : {9, 3, 5}) groups_.AddOrder(kGroup, OrderId(id));
  groups_.RemoveOrder(kGroup, OrderId(5));
  groups_.AddFill(kGroup, Timestamp(), Quantity::FromUnits(2));
  EXPECT_TRUE(groups_.has_fills());
  const auto trips = groups_.TakeTrips();
  EXPECT_FALSE(groups_.has_fills());
  ASSERT_EQ(trips.size(), 1u);
  EXPECT_EQ(trips[0].traded, Quantity::FromUnits(2));
  EXPECT_EQ(trips[0].orders, (std::vector<OrderId>{OrderId(3), OrderId(9)}));
}

TEST_F(OrderGroupsTest, ATriggeredGroupTripsAndNamesItsOrders) {
  OrderGroups::Trip trip;
  EXPECT_EQ(groups_.Trigger(kGroup, Timestamp(), trip), RejectReason::kUnknownGroup);
  EXPECT_EQ(groups_.Trigger({AccountId(), GroupId(7)}, Timestamp(), trip),
            RejectReason::kUnknownAccount);
  Define(10, 100);
  groups_.AddOrder(kGroup, OrderId(9));
  groups_.AddOrder(kGroup, OrderId(3));
  EXPECT_FALSE(FillTrips(0, 5));
  EXPECT_FALSE(FillTrips(50, 3));
  EXPECT_EQ(groups_.Trigger(kGroup, Timestamp::FromNanos(120), trip), RejectReason::kNone);
  EXPECT_EQ(trip.key, kGroup);
  EXPECT_EQ(trip.traded, Quantity::FromUnits(3));  // The first has left the window.
  EXPECT_EQ(trip.orders, (std::vector<OrderId>{OrderId(3), OrderId(9)}));
  EXPECT_EQ(groups_.CheckMember(kGroup), RejectReason::kGroupTripped);
  EXPECT_TRUE(groups_.TakeTrips().empty());
}

TEST_F(OrderGroupsTest, ADeletedGroupIsForgotten) {
  EXPECT_EQ(groups_.CheckDefined(kGroup), RejectReason::kUnknownGroup);
  EXPECT_EQ(groups_.CheckDefined({AccountId(), GroupId(7)}), RejectReason::kUnknownAccount);
  Define(10, 100);
  EXPECT_EQ(groups_.CheckDefined(kGroup), RejectReason::kNone);
  EXPECT_TRUE(FillTrips(0, 10));
  groups_.Delete(kGroup);
  EXPECT_EQ(groups_.CheckMember(kGroup), RejectReason::kUnknownGroup);
  Define(10, 100);
  EXPECT_FALSE(FillTrips(1, 9));
}

TEST_F(OrderGroupsTest, DeletedGroupsAreNamedBeforeThoseThatAreDefinedAgain) {
  std::vector<int> named;  // -1: deleted.
  const auto take = [&](int64_t now) {
    named.clear();
    groups_.TakeChanges(
        Timestamp::FromNanos(now), [&](const auto&) { named.push_back(-1); },
        [&](const auto&, const auto&) { named.push_back(1); });
    return named;
  };
  Define(10, 100);
  EXPECT_FALSE(FillTrips(0, 5));
  EXPECT_EQ(take(1), (std::vector<int>{1}));
  EXPECT_FALSE(FillTrips(1, 1));
  groups_.Delete(kGroup);
  EXPECT_EQ(take(2), (std::vector<int>{-1}));
  EXPECT_EQ(take(200), (std::vector<int>{}));  // When its fills would have left.
  Define(10, 100, 200);
  groups_.Delete(kGroup);
  Define(10, 100, 200);
  EXPECT_EQ(take(201), (std::vector<int>{-1, 1}));
  EXPECT_EQ(take(202), (std::vector<int>{}));
}

TEST_F(OrderGroupsTest, TimesAtTheEndOfTimeDoNotOverflow) {
  constexpr int64_t kFirst = std::numeric_limits<int64_t>::min();
  constexpr int64_t kLast = std::numeric_limits<int64_t>::max();
  Define(10, kLast, kFirst);
  EXPECT_FALSE(FillTrips(kFirst, 5));
  EXPECT_FALSE(FillTrips(kLast, 5));  // The window is half of all time.
  EXPECT_TRUE(FillTrips(kLast, 5));
}

TEST_F(OrderGroupsTest, FillsOfOneTimeAreOne) {
  Define(1'000, 100);
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(FillTrips(1, 5));
  EXPECT_FALSE(FillTrips(2, 7));
  const OrderGroups::Group& group = groups_.all().at(kGroup);
  ASSERT_EQ(group.fills.size(), 2u);
  EXPECT_EQ(group.fills.front().quantity, Quantity::FromUnits(15));
  EXPECT_EQ(group.traded, Quantity::FromUnits(22));
}

TEST_F(OrderGroupsTest, ChangesAreNamedOnceAndWhenFillsLeave) {
  Define(1'000, 100);
  EXPECT_FALSE(FillTrips(0, 5));
  EXPECT_FALSE(FillTrips(50, 5));
  const auto changes = [&](int64_t now) {
    int count = 0;
    groups_.TakeChanges(
        Timestamp::FromNanos(now), [](const auto&) {}, [&](const auto&, const auto&) { ++count; });
    return count;
  };
  EXPECT_EQ(changes(60), 1);  // The first call names all.
  EXPECT_EQ(changes(99), 0);
  EXPECT_EQ(changes(100), 1);
  EXPECT_EQ(changes(149), 0);
  EXPECT_FALSE(FillTrips(149, 1));
  EXPECT_EQ(changes(150), 1);
  EXPECT_EQ(groups_.all().at(kGroup).fills.size(), 1u);
  EXPECT_EQ(changes(248), 0);
  EXPECT_EQ(changes(249), 1);
  EXPECT_EQ(changes(1'000'000), 0);
}

TEST_F(OrderGroupsTest, FillsLeaveTheWindowOneByOne) {
  Define(1'000'000, 100);
  for (int64_t time = 0; time < 1'000; ++time) {
    EXPECT_FALSE(FillTrips(time, 2));
    const OrderGroups::Group& group = groups_.all().at(kGroup);
    const int64_t count = std::min<int64_t>(time + 1, 100);
    ASSERT_EQ(group.traded, Quantity::FromUnits(static_cast<uint64_t>(2 * count)));
    ASSERT_EQ(group.fills.size(), static_cast<size_t>(count));
    ASSERT_EQ(group.fills.front().time.nanos(), time + 1 - count);
    ASSERT_EQ(group.fills.back().time.nanos(), time);
  }
  ASSERT_EQ(groups_.Reset(kGroup), RejectReason::kNone);
  EXPECT_TRUE(groups_.all().at(kGroup).fills.empty());
}

TEST_F(OrderGroupsTest, OrdersAreVisitedOfOneAccountOrOfAll) {
  for (const auto& [account, group] : {std::pair(1, 7), {1, 65'543}, {2, 7}, {3, 8}, {4, 7}}) {
    const OrderGroups::Key key = {AccountId(account), GroupId(group)};
    ASSERT_EQ(groups_.Define(key, Quantity::FromUnits(1), 1, Timestamp()), RejectReason::kNone);
    groups_.AddOrder(key, OrderId(10 * account + 1));
    groups_.AddOrder(key, OrderId(10 * account));
  }
  const auto visited = [&](uint32_t account, uint32_t group) {
    std::vector<uint64_t> orders;
    groups_.VisitOrders(AccountId(account), GroupId(group),
                        [&](OrderId order) { orders.push_back(order.value()); });
    return orders;
  };
  using Orders = std::vector<uint64_t>;
  EXPECT_EQ(visited(0, 7), (Orders{10, 11, 20, 21, 40, 41}));
  EXPECT_EQ(visited(0, 65'543), (Orders{10, 11}));
  EXPECT_EQ(visited(0, 9), Orders());
  EXPECT_EQ(visited(2, 7), (Orders{20, 21}));
  EXPECT_EQ(visited(2, 8), Orders());
}

TEST_F(OrderGroupsTest, UndefinedGroupsAreUnknown) {
  EXPECT_EQ(groups_.CheckMember(kGroup), RejectReason::kUnknownGroup);
  Define(1, 1);
  EXPECT_EQ(groups_.CheckMember({AccountId(2), GroupId(7)}), RejectReason::kUnknownGroup);
}

}  // namespace
}  // namespace engine
