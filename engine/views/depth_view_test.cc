#include "engine/views/depth_view.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr MarketId kMarket(1);

// Emits the events of an exchange; each call is one command.
class DepthViewTest : public testing::Test {
 protected:
  static Event Say(EventKind kind, uint64_t order, Side side, int64_t price, uint64_t quantity,
                   uint64_t remaining) {
    Event event;
    event.kind = kind;
    event.order_id = OrderId(order);
    event.market = kMarket;
    event.side = side;
    event.price = Price::FromUnits(price);
    event.quantity = Quantity::FromUnits(quantity);
    event.quantity_remaining = Quantity::FromUnits(remaining);
    return event;
  }
  static Event Accepted(uint64_t order, Side side, int64_t price, uint64_t quantity) {
    return Say(EventKind::kAccepted, order, side, price, quantity, quantity);
  }
  static Event Trade(uint64_t maker, uint64_t taker, uint64_t quantity, uint64_t maker_remaining) {
    Event event = Say(EventKind::kTrade, maker, {}, 0, quantity, maker_remaining);
    event.counter_order_id = OrderId(taker);
    return event;
  }
  static Event Amended(uint64_t order, Side side, int64_t price, uint64_t remaining,
                       PriorityOutcome outcome) {
    Event event = Say(EventKind::kAmended, order, side, price, remaining, remaining);
    event.detail = static_cast<uint8_t>(outcome);
    return event;
  }
  void Hear(const std::vector<Event>& events) { view_.OnEvents(Command(), events); }

  void Bid(uint64_t order, int64_t price, uint64_t quantity) {
    Hear({Accepted(order, Side::kBid, price, quantity)});
  }
  void Ask(uint64_t order, int64_t price, uint64_t quantity) {
    Hear({Accepted(order, Side::kAsk, price, quantity)});
  }

  // "<price> <quantity> (<order>:<remaining> ...)" a level, best first.
  std::string Levels(Side side) const {
    std::vector<std::string> levels;
    view_.VisitLevels(kMarket, side, [&](Price price, const DepthView::Level& level) {
      const auto name = [](std::string* out, const DepthView::Place& place) {
        absl::StrAppend(out, place.order.value(), ":", place.quantity_remaining.units());
      };
      levels.push_back(absl::StrCat(price.units(), " ", level.quantity.units(), " (",
                                    absl::StrJoin(level.queue, " ", name), ")"));
      EXPECT_EQ(view_.FindLevel(kMarket, side, price), &level);
      return true;
    });
    return absl::StrJoin(levels, ", ");
  }
  std::string Bids() const { return Levels(Side::kBid); }
  std::string Asks() const { return Levels(Side::kAsk); }

  DepthView view_;
};

TEST_F(DepthViewTest, OrdersCancelledByOtherCommandsLeave) {
  Bid(1, 10, 5);
  Bid(2, 10, 6);
  Ask(3, 12, 7);
  // Order 1 expires, order 4 arrives, meets its account's order 3, trades nothing and rests.
  Event expired = Say(EventKind::kCancelled, 1, Side::kBid, 10, 5, 0);
  Event own = Say(EventKind::kCancelled, 3, Side::kAsk, 12, 7, 0);
  Hear({expired, Accepted(4, Side::kBid, 12, 8), own});
  EXPECT_EQ(Levels(Side::kBid), "12 8 (4:8), 10 6 (2:6)");
  EXPECT_EQ(Levels(Side::kAsk), "");
  // A group trips: the arriving order, which would have rested, is among its orders.
  Event tripped;
  tripped.kind = EventKind::kGroupTripped;
  tripped.order_id = OrderId(2);
  Hear({Accepted(5, Side::kBid, 12, 3), tripped,
        Say(EventKind::kCancelled, 4, Side::kBid, 12, 8, 0),
        Say(EventKind::kCancelled, 5, Side::kBid, 12, 3, 0)});
  EXPECT_EQ(Levels(Side::kBid), "10 6 (2:6)");
}

TEST_F(DepthViewTest, IgnoresMoneyAndPositions) {
  Bid(1, 10, 5);
  Event balance = Say(EventKind::kBalance, 1, {}, -500, 3, 0);
  balance.counter_order_id = OrderId(99);
  Event position = Say(EventKind::kPosition, 0, {}, -7, 7, 0);
  Hear({Accepted(2, Side::kAsk, 10, 2), Trade(1, 2, 2, 3), balance, position, balance, position});
  EXPECT_EQ(Levels(Side::kBid), "10 3 (1:3)");
}

TEST_F(DepthViewTest, LevelsAreBestFirstAndQueuesInOrderOfArrival) {
  Bid(1, 100, 5);
  Bid(2, 101, 6);
  Bid(3, 101, 7);
  Ask(4, 103, 8);
  Ask(5, 102, 9);
  EXPECT_EQ(Bids(), "101 13 (2:6 3:7), 100 5 (1:5)");
  EXPECT_EQ(Asks(), "102 9 (5:9), 103 8 (4:8)");
  EXPECT_EQ(view_.BestPrice(kMarket, Side::kBid), Price::FromUnits(101));
  EXPECT_EQ(view_.BestPrice(kMarket, Side::kAsk), Price::FromUnits(102));
  EXPECT_EQ(view_.order_count(), 5u);
}

TEST_F(DepthViewTest, ATakerRestsWithWhatItsTradesLeft) {
  Ask(1, 100, 5);
  Ask(2, 100, 5);
  Hear({Accepted(3, Side::kBid, 100, 12), Trade(1, 3, 5, 0), Trade(2, 3, 5, 0)});
  EXPECT_EQ(Asks(), "");
  EXPECT_EQ(Bids(), "100 2 (3:2)");
}

TEST_F(DepthViewTest, APartlyTradedMakerKeepsItsPlace) {
  Ask(1, 100, 5);
  Ask(2, 100, 5);
  Hear({Accepted(3, Side::kBid, 100, 2), Trade(1, 3, 2, 3)});
  EXPECT_EQ(Asks(), "100 8 (1:3 2:5)");
  EXPECT_EQ(Bids(), "");
}

TEST_F(DepthViewTest, WhatIsCancelledOnArrivalNeverShows) {
  Hear({Accepted(1, Side::kBid, 100, 5), Say(EventKind::kCancelled, 1, Side::kBid, 100, 5, 0)});
  EXPECT_EQ(Bids(), "");
  EXPECT_EQ(view_.BestPrice(kMarket, Side::kBid), std::nullopt);
}

TEST_F(DepthViewTest, ACancelTakesTheLevelWithItsLastOrder) {
  Bid(1, 100, 5);
  Bid(2, 100, 6);
  Hear({Say(EventKind::kCancelled, 1, Side::kBid, 100, 5, 0)});
  EXPECT_EQ(Bids(), "100 6 (2:6)");
  Hear({Say(EventKind::kCancelled, 2, Side::kBid, 100, 6, 0)});
  EXPECT_EQ(Bids(), "");
  EXPECT_EQ(view_.FindLevel(kMarket, Side::kBid, Price::FromUnits(100)), nullptr);
}

TEST_F(DepthViewTest, AReducedOrderKeepsItsPlace) {
  Bid(1, 100, 5);
  Bid(2, 100, 6);
  Hear({Say(EventKind::kReduced, 1, Side::kBid, 100, 4, 1)});
  EXPECT_EQ(Bids(), "100 7 (1:1 2:6)");
}

TEST_F(DepthViewTest, AnAmendedOrderKeepsOrLosesItsPlaceAsInTheEvent) {
  Bid(1, 100, 5);
  Bid(2, 100, 6);
  Hear({Amended(1, Side::kBid, 100, 4, PriorityOutcome::kKept)});
  EXPECT_EQ(Bids(), "100 10 (1:4 2:6)");
  Hear({Amended(1, Side::kBid, 100, 9, PriorityOutcome::kLost)});
  EXPECT_EQ(Bids(), "100 15 (2:6 1:9)");
}

TEST_F(DepthViewTest, AReplacingOrderRestsAtItsPrice) {
  Bid(1, 100, 5);
  Event replaced = Say(EventKind::kReplaced, 2, Side::kBid, 99, 7, 7);
  replaced.counter_order_id = OrderId(1);
  Hear({replaced});
  EXPECT_EQ(Bids(), "99 7 (2:7)");
}

TEST_F(DepthViewTest, FindsAnOrder) {
  Bid(1, 100, 5);
  Bid(2, 100, 6);
  const DepthView::Place* const place = view_.FindOrder(OrderId(1));
  ASSERT_NE(place, nullptr);
  EXPECT_EQ(place->level, view_.FindLevel(kMarket, Side::kBid, Price::FromUnits(100)));
  EXPECT_EQ(place->quantity_remaining, Quantity::FromUnits(5));
  EXPECT_FALSE(place->is_last());
  EXPECT_TRUE(view_.FindOrder(OrderId(2))->is_last());
  EXPECT_EQ(view_.FindOrder(OrderId(3)), nullptr);
}

TEST_F(DepthViewTest, AnUnknownMarketIsEmpty) {
  EXPECT_EQ(view_.BestPrice(MarketId(9), Side::kBid), std::nullopt);
  EXPECT_EQ(view_.FindLevel(MarketId(9), Side::kBid, Price()), nullptr);
}

TEST_F(DepthViewTest, AVisitEndsWhenItsVisitorReturnsFalse) {
  Bid(1, 100, 5);
  Bid(2, 101, 5);
  int seen = 0;
  view_.VisitLevels(kMarket, Side::kBid, [&](Price, const DepthView::Level&) {
    ++seen;
    return false;
  });
  EXPECT_EQ(seen, 1);
}

TEST_F(DepthViewTest, EventsThatContradictEarlierOnesAreNoticed) {
  EXPECT_DEATH(Hear({Say(EventKind::kCancelled, 1, Side::kBid, 100, 5, 0)}), "does not rest");
  EXPECT_DEATH(Hear({Trade(1, 2, 1, 0)}), "without a taker");
}

}  // namespace
}  // namespace engine
