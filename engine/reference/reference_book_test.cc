#include "engine/reference/reference_book.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/base/sequence_number.h"
#include "engine/state/resting_order.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

using Meeting = ReferenceBook::Meeting;

class ReferenceBookTest : public testing::Test {
 protected:
  // Ids, and with them priorities, count up from 1.
  uint64_t Add(Side side, int64_t price, uint64_t quantity) {
    const uint64_t id = ++last_id_;
    handles_[id] = book_.Add(Order(id, side, price, quantity));
    book_.CheckInvariants();
    return id;
  }
  static RestingOrder Order(uint64_t id, Side side, int64_t price, uint64_t quantity) {
    RestingOrder order;
    order.id = OrderId(id);
    order.priority = SequenceNumber(id);
    order.price = Price::FromUnits(price);
    order.quantity_remaining = Quantity::FromUnits(quantity);
    order.side = side;
    return order;
  }
  uint64_t Bid(int64_t price, uint64_t quantity) { return Add(Side::kBid, price, quantity); }
  uint64_t Ask(int64_t price, uint64_t quantity) { return Add(Side::kAsk, price, quantity); }

  void Remove(uint64_t id) {
    book_.Remove(handles_.at(id));
    book_.CheckInvariants();
  }
  void Reduce(uint64_t id, uint64_t by) {
    book_.Reduce(handles_.at(id), Quantity::FromUnits(by));
    book_.CheckInvariants();
  }

  // "<maker>:<traded>@<price> ... left <quantity>".
  std::string Take(Side taker, std::optional<int64_t> limit, uint64_t quantity) {
    std::string out;
    const Quantity left = book_.Match(taker, LimitOf(limit), Quantity::FromUnits(quantity),
                                      [&](const RestingOrder& maker, Quantity traded) {
                                        absl::StrAppend(&out, maker.id.value(), ":", traded.units(),
                                                        "@", maker.price.units(), " ");
                                      });
    book_.CheckInvariants();
    return absl::StrCat(out, "left ", left.units());
  }
  // The same, where the order `own` is met so.
  std::string TakeMeeting(uint64_t own, Meeting meeting, Side taker, std::optional<int64_t> limit,
                          uint64_t quantity) {
    std::string out;
    const Quantity left = book_.Match(
        taker, LimitOf(limit), Quantity::FromUnits(quantity),
        [&](const RestingOrder& maker) {
          return maker.id == OrderId(own) ? meeting : Meeting::kTrade;
        },
        [&](const RestingOrder& maker, Quantity traded) {
          absl::StrAppend(&out, maker.id.value(), ":", traded.units(), " ");
        });
    book_.CheckInvariants();
    return absl::StrCat(out, "left ", left.units());
  }
  // Whether `quantity` can trade where the order with this id meets so.
  bool CanFillMeeting(uint64_t id, Meeting meeting, Side taker, std::optional<int64_t> limit,
                      uint64_t quantity) const {
    return book_.CanFill(taker, LimitOf(limit), Quantity::FromUnits(quantity),
                         [&](const RestingOrder& maker) {
                           return maker.id.value() == id ? meeting : Meeting::kTrade;
                         });
  }
  bool CanFill(Side taker, std::optional<int64_t> limit, uint64_t quantity) const {
    return book_.CanFill(taker, LimitOf(limit), Quantity::FromUnits(quantity));
  }

  // "<id>:<remaining> ..." in priority order.
  std::string Queue(Side side) const {
    std::vector<std::string> orders;
    book_.VisitOrders(side, [&](const RestingOrder& order) {
      orders.push_back(absl::StrCat(order.id.value(), ":", order.quantity_remaining.units()));
    });
    return absl::StrJoin(orders, " ");
  }

  ReferenceBook book_;

 private:
  static std::optional<Price> LimitOf(std::optional<int64_t> limit) {
    if (!limit.has_value()) return std::nullopt;
    return Price::FromUnits(*limit);
  }

  uint64_t last_id_ = 0;
  std::map<uint64_t, ReferenceBook::Handle> handles_;
};

TEST_F(ReferenceBookTest, BetterPricesComeFirstThenEarlierOrders) {
  Bid(100, 1);
  Bid(101, 2);
  Bid(101, 3);
  Ask(103, 4);
  Ask(102, 5);
  EXPECT_EQ(Queue(Side::kBid), "2:2 3:3 1:1");
  EXPECT_EQ(Queue(Side::kAsk), "5:5 4:4");
  EXPECT_EQ(book_.order_count(), 5u);
}

TEST_F(ReferenceBookTest, MatchTradesAtTheMakersPriceUpToTheLimit) {
  Ask(100, 1);
  Ask(101, 2);
  Ask(102, 4);
  EXPECT_EQ(Take(Side::kBid, 101, 9), "1:1@100 2:2@101 left 6");
  EXPECT_EQ(Queue(Side::kAsk), "3:4");
}

TEST_F(ReferenceBookTest, ASellTakesTheHighestBidsFirst) {
  Bid(100, 1);
  Bid(102, 2);
  EXPECT_EQ(Take(Side::kAsk, 101, 9), "2:2@102 left 7");
}

TEST_F(ReferenceBookTest, APartlyFilledMakerKeepsItsPlace) {
  Ask(100, 5);
  Ask(100, 5);
  EXPECT_EQ(Take(Side::kBid, 100, 2), "1:2@100 left 0");
  EXPECT_EQ(Queue(Side::kAsk), "1:3 2:5");
}

TEST_F(ReferenceBookTest, WithoutALimitEverythingTrades) {
  Ask(-5, 1);
  Ask(1'000'000'000'000, 1);
  EXPECT_EQ(Take(Side::kBid, std::nullopt, 3), "1:1@-5 2:1@1000000000000 left 1");
  EXPECT_EQ(book_.order_count(), 0u);
}

TEST_F(ReferenceBookTest, CanFillCountsOnlyLevelsWithinTheLimit) {
  Ask(100, 1);
  Ask(101, 2);
  EXPECT_TRUE(CanFill(Side::kBid, 101, 3));
  EXPECT_FALSE(CanFill(Side::kBid, 101, 4));
  EXPECT_FALSE(CanFill(Side::kBid, 100, 2));
  EXPECT_TRUE(CanFill(Side::kBid, std::nullopt, 3));
  EXPECT_FALSE(CanFill(Side::kAsk, std::nullopt, 1));
}

TEST_F(ReferenceBookTest, AnOrderThatIsMetMayBeRemovedOrEndTheTaker) {
  const auto three = [&] {
    const uint64_t first = Ask(100, 1);
    Ask(100, 2);
    Ask(101, 4);
    return first + 1;
  };
  EXPECT_EQ(TakeMeeting(three(), Meeting::kTrade, Side::kBid, 101, 9), "1:1 2:2 3:4 left 2");
  EXPECT_EQ(TakeMeeting(three(), Meeting::kRemoveMaker, Side::kBid, 101, 9), "4:1 6:4 left 4");
  EXPECT_EQ(book_.order_count(), 0u);
  EXPECT_EQ(TakeMeeting(three(), Meeting::kStop, Side::kBid, 101, 9), "7:1 left 8");
  EXPECT_EQ(Queue(Side::kAsk), "8:2 9:4");
  EXPECT_EQ(TakeMeeting(8, Meeting::kRemoveMakerAndStop, Side::kBid, 101, 9), "left 9");
  EXPECT_EQ(Queue(Side::kAsk), "9:4");
  EXPECT_EQ(TakeMeeting(9, Meeting::kRemoveMaker, Side::kBid, 100, 9), "left 9");
  EXPECT_EQ(Queue(Side::kAsk), "9:4");  // Beyond the limit, hence not met.
}

TEST_F(ReferenceBookTest, WhatCanBeFilledDependsOnHowMakersMeet) {
  Ask(100, 1);
  Ask(100, 2);
  Ask(101, 4);
  for (const Meeting stop : {Meeting::kStop, Meeting::kRemoveMakerAndStop}) {
    EXPECT_FALSE(CanFillMeeting(1, stop, Side::kBid, 100, 1));
    EXPECT_TRUE(CanFillMeeting(2, stop, Side::kBid, 100, 1));
    EXPECT_FALSE(CanFillMeeting(2, stop, Side::kBid, 100, 2));
    EXPECT_TRUE(CanFillMeeting(3, stop, Side::kBid, 101, 3));
    EXPECT_FALSE(CanFillMeeting(3, stop, Side::kBid, 101, 4));
  }
  EXPECT_TRUE(CanFillMeeting(2, Meeting::kRemoveMaker, Side::kBid, 101, 5));
  EXPECT_FALSE(CanFillMeeting(2, Meeting::kRemoveMaker, Side::kBid, 101, 6));
  EXPECT_FALSE(CanFillMeeting(2, Meeting::kRemoveMaker, Side::kBid, 100, 2));
  EXPECT_TRUE(CanFillMeeting(2, Meeting::kRemoveMaker, Side::kBid, std::nullopt, 5));
  EXPECT_FALSE(CanFillMeeting(2, Meeting::kRemoveMaker, Side::kAsk, std::nullopt, 1));
}

TEST_F(ReferenceBookTest, EqualPricesCross) {
  EXPECT_FALSE(book_.Crosses(Side::kBid, Price::FromUnits(100)));
  Ask(100, 1);
  EXPECT_TRUE(book_.Crosses(Side::kBid, Price::FromUnits(100)));
  EXPECT_FALSE(book_.Crosses(Side::kBid, Price::FromUnits(99)));
  EXPECT_FALSE(book_.Crosses(Side::kAsk, Price::FromUnits(1)));
  Bid(98, 1);
  EXPECT_TRUE(book_.Crosses(Side::kAsk, Price::FromUnits(98)));
  EXPECT_FALSE(book_.Crosses(Side::kAsk, Price::FromUnits(99)));
}

TEST_F(ReferenceBookTest, ReduceKeepsThePlace) {
  Bid(100, 5);
  Bid(100, 5);
  Reduce(1, 4);
  EXPECT_EQ(Queue(Side::kBid), "1:1 2:5");
}

TEST_F(ReferenceBookTest, RemovingTheLastOrderRemovesTheLevel) {
  Bid(100, 5);
  Remove(1);
  EXPECT_EQ(Take(Side::kAsk, 100, 1), "left 1");
  EXPECT_EQ(book_.order_count(), 0u);
}

TEST_F(ReferenceBookTest, ACrossedBookIsNoticed) {
  Bid(100, 1);
  EXPECT_DEATH(Ask(100, 1), "crossed \\(E2\\)");
}

TEST_F(ReferenceBookTest, AnOrderThatWouldJumpTheQueueIsNoticed) {
  Bid(100, 1);
  EXPECT_DEATH(book_.Add(Order(1, Side::kBid, 100, 1)), "priority");
}

}  // namespace
}  // namespace engine
