// What a command changes in the depth.

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/views/depth_view.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

Event Make(EventKind kind, uint64_t order, Side side, int64_t price, uint64_t quantity,
           uint64_t remaining) {
  Event event;
  event.kind = kind;
  event.order_id = OrderId(order);
  event.market = MarketId(1);
  event.side = side;
  event.price = Price::FromUnits(price);
  event.quantity = Quantity::FromUnits(quantity);
  event.quantity_remaining = Quantity::FromUnits(remaining);
  return event;
}
Event Accepted(uint64_t order, Side side, int64_t price, uint64_t quantity) {
  return Make(EventKind::kAccepted, order, side, price, quantity, quantity);
}
Event Trade(uint64_t maker, uint64_t taker, Side side, int64_t price, uint64_t quantity,
            uint64_t remaining) {
  Event event = Make(EventKind::kTrade, maker, side, price, quantity, remaining);
  event.counter_order_id = OrderId(taker);
  return event;
}
Event Amended(uint64_t order, Side side, int64_t price, uint64_t remaining,
              PriorityOutcome outcome) {
  Event event = Make(EventKind::kAmended, order, side, price, remaining, remaining);
  event.detail = static_cast<uint8_t>(outcome);
  return event;
}

class DepthChangesTest : public testing::Test {
 protected:
  // "bid 20 0>5, ask 21 3>1"
  std::string Fold(const std::vector<Event>& events) {
    const auto print = [](std::string* out, const DepthChange& change) {
      absl::StrAppend(out, change.side == Side::kBid ? "bid " : "ask ", change.price.units(), " ",
                      change.before.units(), ">", change.after.units());
    };
    depth_.OnEvents(Command(), events);
    return absl::StrJoin(depth_.changes(), ", ", print);
  }

  DepthView depth_;
};

TEST_F(DepthChangesTest, AnOrderThatRestsAddsToItsLevel) {
  EXPECT_EQ(Fold({Accepted(1, Side::kBid, 20, 5)}), "bid 20 0>5");
  EXPECT_EQ(Fold({Accepted(2, Side::kBid, 20, 3)}), "bid 20 5>8");
}

TEST_F(DepthChangesTest, ATakerTakesFromLevelsAndItsRestIsOneMore) {
  Fold({Accepted(1, Side::kAsk, 20, 5)});
  Fold({Accepted(2, Side::kAsk, 20, 1)});
  Fold({Accepted(3, Side::kAsk, 21, 4)});
  EXPECT_EQ(Fold({Accepted(4, Side::kBid, 21, 12), Trade(1, 4, Side::kAsk, 20, 5, 0),
                  Trade(2, 4, Side::kAsk, 20, 1, 0), Trade(3, 4, Side::kAsk, 21, 4, 0)}),
            "bid 21 0>2, ask 20 6>0, ask 21 4>0");
}

TEST_F(DepthChangesTest, WhatArrivesAndLeavesChangesNothing) {
  EXPECT_EQ(
      Fold({Accepted(1, Side::kBid, 20, 5), Make(EventKind::kCancelled, 1, Side::kBid, 20, 5, 0)}),
      "");
}

TEST_F(DepthChangesTest, AnAmendMovesQuantityFromLevelToLevel) {
  Fold({Accepted(1, Side::kBid, 20, 5)});
  EXPECT_EQ(Fold({Amended(1, Side::kBid, 22, 7, PriorityOutcome::kLost)}),
            "bid 20 5>0, bid 22 0>7");
  EXPECT_EQ(Fold({Amended(1, Side::kBid, 22, 6, PriorityOutcome::kKept)}), "bid 22 7>6");
  EXPECT_EQ(Fold({Amended(1, Side::kBid, 22, 6, PriorityOutcome::kKept)}), "");
}

TEST_F(DepthChangesTest, AReplacementOnTheSameLevelIsOneChange) {
  Fold({Accepted(1, Side::kBid, 20, 5)});
  Event replaced = Make(EventKind::kReplaced, 2, Side::kBid, 20, 9, 9);
  replaced.counter_order_id = OrderId(1);
  EXPECT_EQ(Fold({replaced}), "bid 20 5>9");
}

TEST_F(DepthChangesTest, AnArrivalOnALevelThatItsCommandEmptiesIsOneChange) {
  Fold({Accepted(1, Side::kBid, 20, 5)});
  const Event cancelled = Make(EventKind::kCancelled, 1, Side::kBid, 20, 5, 0);
  EXPECT_EQ(Fold({Accepted(2, Side::kBid, 20, 3), cancelled}), "bid 20 5>3");
  EXPECT_EQ(
      Fold({Make(EventKind::kCancelled, 2, Side::kBid, 20, 3, 0), Accepted(3, Side::kBid, 20, 3)}),
      "");
  EXPECT_EQ(depth_.FindLevel(MarketId(1), Side::kBid, Price::FromUnits(20))->order_count(), 1u);
}

TEST_F(DepthChangesTest, ACancelAndAReduceTakeAway) {
  Fold({Accepted(1, Side::kAsk, 20, 5)});
  EXPECT_EQ(Fold({Make(EventKind::kReduced, 1, Side::kAsk, 20, 2, 3)}), "ask 20 5>3");
  EXPECT_EQ(Fold({Make(EventKind::kCancelled, 1, Side::kAsk, 20, 3, 0)}), "ask 20 3>0");
}

TEST_F(DepthChangesTest, ManyLevelsAreEachNamedOnce) {
  std::vector<Event> sweep = {Accepted(1'000, Side::kBid, 900, 500)};
  for (uint64_t order = 1; order <= 500; ++order) {
    const int64_t price = 100 + static_cast<int64_t>(order / 2);
    Fold({Accepted(order, Side::kAsk, price, 1)});
    sweep.push_back(Trade(order, 1'000, Side::kAsk, price, 1, 0));
  }
  Fold(sweep);
  EXPECT_EQ(depth_.changes().size(), 251u);
  EXPECT_EQ(depth_.order_count(), 0u);
}

}  // namespace
}  // namespace engine
