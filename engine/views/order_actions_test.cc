#include "engine/views/order_actions.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/kinds.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

struct Values {
  uint64_t order = 0;
  uint64_t counter_order = 0;
  int64_t price = 100;
  uint64_t quantity = 0;
  uint64_t remaining = 0;
  Side side = Side::kBid;
  uint8_t detail = 0;
};

Event EventOf(EventKind kind, const Values& values) {
  Event event;
  event.kind = kind;
  event.order_id = OrderId(values.order);
  event.counter_order_id = OrderId(values.counter_order);
  event.price = Price::FromUnits(values.price);
  event.quantity = Quantity::FromUnits(values.quantity);
  event.quantity_remaining = Quantity::FromUnits(values.remaining);
  event.market = MarketId(1);
  event.side = values.side;
  event.detail = values.detail;
  return event;
}

class OrderActionsTest : public ::testing::Test {
 protected:
  // The actions of the next command: "A3B:5@100(+5,+1)".
  std::string Take(const std::vector<Event>& events) {
    command_.sequence = command_.sequence.Next();
    std::string text = TakePart(events);
    text += Finish();
    return text;
  }
  std::string TakePart(const std::vector<Event>& events) {
    std::string text;
    actions_.Take(command_, events, [&](const OrderAction& action) { Append(action, text); });
    return text;
  }
  std::string Finish() {
    std::string text;
    actions_.Finish([&](const OrderAction& action) { Append(action, text); });
    return text;
  }
  void Add(uint64_t order, uint64_t quantity, Side side) {
    Take({EventOf(EventKind::kAccepted,
                  {.order = order, .quantity = quantity, .remaining = quantity, .side = side})});
  }

  static void Append(const OrderAction& action, std::string& text) {
    absl::StrAppend(&text, text.empty() ? "" : " ",
                    std::string(1, "ACMTF"[static_cast<int>(action.kind)]), action.order.value(),
                    action.side == Side::kBid ? "B:" : "A:", action.size.units(), "@",
                    action.price.units());
    if (action.quantity_change != 0) {
      absl::StrAppend(&text, "(", action.quantity_change, ",", action.order_count_change, ")");
    }
  }

  Command command_;
  OrderActions actions_;
};

TEST_F(OrderActionsTest, AnOrderThatRestsIsAdded) {
  EXPECT_EQ(Take({EventOf(EventKind::kAccepted, {.order = 1, .quantity = 5, .remaining = 5})}),
            "A1B:5@100(5,1)");
}

TEST_F(OrderActionsTest, ATradeIsATradeAFillAndACancel) {
  Add(1, 5, Side::kBid);
  command_.sequence = command_.sequence.Next();
  EXPECT_EQ(
      TakePart(
          {EventOf(EventKind::kAccepted,
                   {.order = 2, .price = 99, .quantity = 9, .remaining = 9, .side = Side::kAsk}),
           EventOf(EventKind::kTrade,
                   {.order = 1, .counter_order = 2, .quantity = 3, .remaining = 2}),
           EventOf(EventKind::kTrade, {.order = 1, .counter_order = 2, .quantity = 2})}),
      "T2A:3@100 F1B:3@100 C1B:3@100(-3,0) T2A:2@100 F1B:2@100 C1B:2@100(-2,-1)");
}

TEST_F(OrderActionsTest, WhatRestsAfterTradesIsAddedAtTheEndOfTheCommand) {
  Add(1, 5, Side::kBid);
  command_.sequence = command_.sequence.Next();
  TakePart({EventOf(EventKind::kAccepted,
                    {.order = 2, .price = 99, .quantity = 9, .remaining = 9, .side = Side::kAsk})});
  EXPECT_EQ(TakePart({EventOf(EventKind::kTrade, {.order = 1, .counter_order = 2, .quantity = 5})}),
            "T2A:5@100 F1B:5@100 C1B:5@100(-5,-1)");
  EXPECT_EQ(Finish(), "A2A:4@99(4,1)");
  EXPECT_EQ(Finish(), "");
}

TEST_F(OrderActionsTest, AnExecutionInAMirroredMarketHasNoArrivingOrder) {
  Add(1, 5, Side::kBid);
  EXPECT_EQ(Take({EventOf(EventKind::kTrade, {.order = 1,
                                              .counter_order = 7,
                                              .price = 98,
                                              .quantity = 2,
                                              .remaining = 3,
                                              .side = Side::kBid})}),
            "T7A:2@98 F1B:2@98 C1B:2@100(-2,0)");
  EXPECT_EQ(Take({EventOf(EventKind::kTrade, {.counter_order = 8, .price = 98, .quantity = 4})}),
            "T8A:4@98");
}

TEST_F(OrderActionsTest, AnOrderThatDoesNotRestIsNotAdded) {
  EXPECT_EQ(Take({EventOf(EventKind::kAccepted, {.order = 1, .quantity = 5, .remaining = 5}),
                  EventOf(EventKind::kCancelled, {.order = 1, .quantity = 5})}),
            "");
}

TEST_F(OrderActionsTest, CancelsAndReductions) {
  Add(1, 5, Side::kBid);
  EXPECT_EQ(Take({EventOf(EventKind::kReduced, {.order = 1, .quantity = 2, .remaining = 3})}),
            "C1B:2@100(-2,0)");
  EXPECT_EQ(Take({EventOf(EventKind::kCancelled, {.order = 1, .quantity = 3})}),
            "C1B:3@100(-3,-1)");
}

TEST_F(OrderActionsTest, AnAmendThatKeepsThePriorityModifies) {
  Add(1, 5, Side::kBid);
  EXPECT_EQ(Take({EventOf(EventKind::kAmended,
                          {.order = 1,
                           .quantity = 2,
                           .remaining = 2,
                           .detail = static_cast<uint8_t>(PriorityOutcome::kKept)})}),
            "M1B:2@100(-3,0)");
}

TEST_F(OrderActionsTest, AnOrderThatLosesItsPriorityIsCancelledAndAdded) {
  Add(1, 5, Side::kBid);
  EXPECT_EQ(Take({EventOf(EventKind::kAmended,
                          {.order = 1,
                           .price = 101,
                           .quantity = 7,
                           .remaining = 7,
                           .detail = static_cast<uint8_t>(PriorityOutcome::kLost)})}),
            "C1B:5@100(-5,-1)A1B:7@101(7,1)");
  EXPECT_EQ(Take({EventOf(EventKind::kReplaced,
                          {.order = 9, .counter_order = 1, .quantity = 3, .remaining = 3})}),
            "C1B:7@101(-7,-1)A9B:3@100(3,1)");
}

TEST_F(OrderActionsTest, KnownOrdersRest) {
  actions_.Know(OrderId(4), MarketId(1), Side::kAsk, Price::FromUnits(7), Quantity::FromUnits(2));
  EXPECT_EQ(Take({EventOf(EventKind::kCancelled, {.order = 4, .quantity = 2})}), "C4A:2@7(-2,-1)");
}

}  // namespace
}  // namespace engine
