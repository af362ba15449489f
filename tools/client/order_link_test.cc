// What a venue must not do, and bounds. The rules are in testdata/client.

#include "tools/client/order_link.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "engine/wire/kalshi/feed_frame.h"
#include "engine/wire/kalshi/numbers.h"
#include "engine/wire/kalshi/queries.h"
#include "gtest/gtest.h"
#include "tools/client/call.h"
#include "tools/client/linked_orders.h"
#include "tools/client/testing/order_transcript.h"
#include "tools/client/ticker_table.h"
#include "tools/strategy/action.h"
#include "tools/strategy/input.h"

namespace client {
namespace {

using engine::MarketId;
using engine::Price;
using engine::Quantity;
using engine::Timestamp;
using engine::kalshi::Count;
using engine::kalshi::FeedFill;
using engine::kalshi::FeedOrder;
using engine::kalshi::OrderStatus;
using strategy::ActionKind;
using strategy::Input;
using strategy::InputKind;
using strategy::OrderNumber;

constexpr absl::string_view kTicker = "RAIN";

class OrderLinkTest : public ::testing::Test, private LinkHost {
 protected:
  // Sends it; returns the call's id.
  uint64_t Order(uint64_t number,
                 engine::TimeInForce tif = engine::TimeInForce::kGoodTillCancelled) {
    link_.Act({.order = OrderNumber(number),
               .price = Price::FromUnits(5'600),
               .quantity = Quantity::FromUnits(1'000),
               .market = MarketId(1),
               .side = engine::Side::kBid,
               .tif = tif,
               .kind = ActionKind::kNewOrder},
              now_);
    return last_call_;
  }
  uint64_t Cancel(uint64_t number) {
    link_.Act({.order = OrderNumber(number), .market = MarketId(1), .kind = ActionKind::kCancel},
              now_);
    return last_call_;
  }
  void Reply(uint64_t call, int status, absl::string_view body) {
    EXPECT_TRUE(link_.OnReply({.id = call, .status = status, .body = body}, now_));
  }
  void Accept(uint64_t number, uint64_t call) {
    Reply(call, 201,
          absl::StrCat("{\"order_id\":\"", VenueIdOf(number),
                       "\",\"fill_count\":\"0.00\",\"remaining_count\":\"10.00\"}"));
  }
  void Fill(uint64_t number, uint64_t trade, int64_t count) {
    const std::string id = VenueIdOf(number);
    const std::string trade_id = VenueIdOf(trade);
    link_.OnFill(kTicker,
                 {.trade_id = trade_id,
                  .order_id = id,
                  .price = Price::FromUnits(5'600),
                  .count = Count::FromHundredths(count)},
                 now_, now_);
  }
  void Message(uint64_t number, OrderStatus status, int64_t filled, int64_t remaining) {
    const std::string id = VenueIdOf(number);
    link_.OnUserOrder(kTicker,
                      {.order_id = id,
                       .status = status,
                       .price = Price::FromUnits(5'600),
                       .fill_count = Count::FromHundredths(filled),
                       .remaining_count = Count::FromHundredths(remaining)},
                      now_);
  }
  std::vector<InputKind> Heard() {
    std::vector<InputKind> kinds;
    for (const Input& input : std::exchange(heard_, {})) kinds.push_back(input.kind);
    return kinds;
  }

  using Kinds = std::vector<InputKind>;
  const std::vector<std::string> names_ = {std::string(kTicker)};
  TickerTable tickers_{names_};
  OrderLink link_{"run", tickers_, *this};
  Timestamp now_ = Timestamp::FromNanos(1'000'000'000);
  std::vector<std::string> live_ids_;  // Of which cancels were to be prepared.

 private:
  void Start(const Call& call) override { last_call_ = call.id; }
  void Hear(const Input& input) override { heard_.push_back(input); }
  void OnOrderLive(absl::string_view order_id) override { live_ids_.emplace_back(order_id); }

  uint64_t last_call_ = 0;
  std::vector<Input> heard_;
};

TEST_F(OrderLinkTest, CallsOfOthersAreNotItsOwn) {
  EXPECT_FALSE(link_.OnReply({.id = 1, .status = 200, .body = "{}"}, now_));
  EXPECT_FALSE(link_.OnCallFailed(1, /*may_have_arrived=*/true, now_));
  EXPECT_FALSE(link_.is_unclear());
  EXPECT_NE(Order(1) & OrderLink::kCallBit, 0u);
}

TEST_F(OrderLinkTest, NoCancelIsPreparedForAnOrderThatCannotRest) {
  using engine::TimeInForce;
  Accept(1, Order(1, TimeInForce::kImmediateOrCancel));
  Accept(2, Order(2, TimeInForce::kFillOrKill));
  EXPECT_EQ(live_ids_, std::vector<std::string>());
  Accept(3, Order(3));
  EXPECT_EQ(live_ids_, std::vector<std::string>{VenueIdOf(3)});
}

TEST_F(OrderLinkTest, AReplyThatCannotBeReadIsUnclear) {
  uint64_t number = 0;
  for (const absl::string_view body :
       {"", "{", "[]", "null", "{}", "{\"order_id\":7}", "{\"order_id\":\"../../x\"}",
        "{\"order_id\":\"../../x\",\"fill_count\":\"0.00\",\"remaining_count\":\"10.00\"}",
        "{\"order_id\":\"\",\"fill_count\":\"0.00\",\"remaining_count\":\"10.00\"}"}) {
    link_.BeginReconciling();
    EXPECT_TRUE(link_.EndReconciling(now_));
    Heard();
    EXPECT_FALSE(link_.is_unclear());
    Reply(Order(++number), 201, body);
    EXPECT_TRUE(link_.is_unclear()) << body;
    EXPECT_EQ(Heard(), Kinds()) << body;
  }
}

TEST_F(OrderLinkTest, AnErrorThatCannotBeReadIsARefusal) {
  uint64_t number = 0;
  for (const absl::string_view body : {"", "{", "[]", "{\"error\":[]}", "404 page not found"}) {
    Reply(Order(++number), 404, body);
    EXPECT_EQ(Heard(), Kinds{InputKind::kOrderRefused}) << body;
  }
  EXPECT_EQ(link_.live_count(), 0u);
  EXPECT_FALSE(link_.is_unclear());
}

TEST_F(OrderLinkTest, AStatusOfNoMeaningIsUnclear) {
  Reply(Order(1), 302, "{}");
  EXPECT_TRUE(link_.is_unclear());
  EXPECT_EQ(link_.live_count(), 1u);
}

TEST_F(OrderLinkTest, ASecondReplyDoesNothing) {
  const uint64_t call = Order(1);
  Accept(1, call);
  EXPECT_EQ(Heard(), Kinds{InputKind::kOrderAccepted});
  Reply(call, 400, "{}");
  EXPECT_TRUE(link_.OnCallFailed(call, /*may_have_arrived=*/false, now_));
  EXPECT_EQ(Heard(), Kinds());
  EXPECT_EQ(link_.live_count(), 1u);
}

TEST_F(OrderLinkTest, MessagesOfOthersDoNothing) {
  Accept(1, Order(1));
  Heard();
  Fill(2, 1, 100);
  Message(2, OrderStatus::kCanceled, 0, 0);
  // Of its order, but in another market.
  const std::string id = VenueIdOf(1);
  link_.OnFill("SNOW", {.trade_id = "t", .order_id = id, .count = Count::FromHundredths(1)}, now_,
               now_);
  link_.OnUserOrder("SNOW", {.order_id = id, .status = OrderStatus::kCanceled}, now_);
  EXPECT_EQ(Heard(), Kinds());
  EXPECT_FALSE(link_.is_unclear());
}

TEST_F(OrderLinkTest, CountsThatCannotBeAreHarmless) {
  constexpr int64_t kMost = 999'999'999'999'999'999;
  uint64_t number = 0;
  for (const int64_t count : {int64_t{-1}, -kMost, kMost}) {
    Accept(number + 1, Order(number + 1));
    ++number;
    Message(number, OrderStatus::kResting, count, kMost);
    Message(number, OrderStatus::kResting, kMost, count);
    Fill(number, 10 * number, count);
    Fill(number, 10 * number + 1, kMost);
    Reply(Cancel(number), 200,
          absl::StrCat("{\"order_id\":\"x\",\"reduced_by\":\"9999999999999999.99\"}"));
    Message(number, OrderStatus::kCanceled, count, count);
  }
  link_.OnTime(Timestamp::FromNanos(now_.nanos() + OrderLink::kPatienceNanos));
  link_.BeginReconciling();
  link_.EndReconciling(now_);
}

TEST_F(OrderLinkTest, OneVenueIdIsOfOneOrder) {
  Accept(1, Order(1));
  Heard();
  Accept(1, Order(2));  // The venue gives the id of order 1 again.
  EXPECT_TRUE(link_.is_unclear());
  EXPECT_EQ(Heard(), Kinds());
}

TEST_F(OrderLinkTest, EndedOrdersAreForgottenInTheOrderOfTheirEnds) {
  constexpr uint64_t kCount = LinkedOrders::kEndedMax + 10;
  for (uint64_t number = 1; number <= kCount; ++number) {
    Accept(number, Order(number));
    Message(number, OrderStatus::kCanceled, 0, 0);
    if (number % 1'000 == 0) Heard();
  }
  Heard();
  EXPECT_EQ(link_.live_count(), 0u);
  Fill(10, 1, 100);
  EXPECT_EQ(Heard(), Kinds());
  EXPECT_FALSE(link_.is_unclear());
  Fill(11, 1, 100);
  EXPECT_EQ(Heard(), Kinds{InputKind::kOrderFilled});
  EXPECT_TRUE(link_.is_unclear());
  // What is forgotten makes room.
  Accept(kCount + 1, Order(kCount + 1));
  EXPECT_EQ(Heard(), Kinds{InputKind::kOrderAccepted});
}

TEST_F(OrderLinkTest, ACallOfAForgottenOrderIsForgotten) {
  const uint64_t late = Order(1);
  Message(1, OrderStatus::kCanceled, 0, 0);  // Without a client's id: it is not known.
  EXPECT_EQ(link_.live_count(), 1u);
  const FeedOrder ended = {
      .order_id = "x", .client_order_id = "run-1", .status = OrderStatus::kCanceled};
  link_.OnUserOrder(kTicker, ended, now_);
  EXPECT_EQ(link_.live_count(), 0u);
  for (uint64_t number = 2; number <= LinkedOrders::kEndedMax + 1; ++number) {
    Reply(Order(number), 400, "{}");
  }
  Order(1'000'000);  // In the place of order 1.
  Heard();
  Accept(1, late);
  EXPECT_EQ(Heard(), Kinds());
  EXPECT_FALSE(link_.is_unclear());
}

TEST_F(OrderLinkTest, ARequestReplacesTheEarlierOne) {
  Accept(1, Order(1));
  Heard();
  const uint64_t first = Cancel(1);
  const uint64_t second = Cancel(1);
  EXPECT_TRUE(link_.OnCallFailed(first, /*may_have_arrived=*/true, now_));
  EXPECT_FALSE(link_.is_unclear());
  Reply(first, 400, "{}");
  EXPECT_EQ(Heard(), Kinds());
  Reply(second, 400, "{}");
  EXPECT_EQ(Heard(), Kinds{InputKind::kRequestRefused});
}

TEST_F(OrderLinkTest, ANumberIsGivenOnce) {
  Order(1);
  EXPECT_DEATH(Order(1), "order 1 is known");
}

}  // namespace
}  // namespace client
