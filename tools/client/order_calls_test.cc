#include "tools/client/order_calls.h"

#include <cstdint>
#include <string>
#include <utility>

#include "engine/types/order_flags.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "engine/wire/kalshi/client_replies.h"
#include "engine/wire/kalshi/requests.h"
#include "gtest/gtest.h"
#include "tools/client/call.h"
#include "tools/strategy/action.h"
#include "tools/strategy/input.h"

namespace client {
namespace {

using engine::OrderFlags;
using engine::Price;
using engine::Quantity;
using engine::SelfTradePrevention;
using engine::Side;
using engine::TimeInForce;
using strategy::Action;
using strategy::OrderNumber;
using strategy::Refusal;

constexpr int64_t kSecondNanos = 1'000'000'000;

Action AnOrder() {
  return {.price = Price::FromUnits(5'605),
          .quantity = Quantity::FromUnits(1'050),
          .side = Side::kAsk,
          .tif = TimeInForce::kGoodTillCancelled};
}

TEST(OrderCallsTest, TheVenueReadsWhatTheStrategyMeans) {
  Action action = AnOrder();
  action.flags = OrderFlags().WithPostOnly().WithCancelOnPause().WithSelfTradePrevention(
      SelfTradePrevention::kCancelMaker);
  const Call call = CreateCall(action, "RAIN", "run-1");
  engine::kalshi::RequestDecoder decoder;
  const auto order = decoder.DecodeCreateOrder(call.body);
  ASSERT_TRUE(order.ok());
  EXPECT_EQ(order->ticker, "RAIN");
  EXPECT_EQ(order->client_order_id, "run-1");
  EXPECT_EQ(order->side, Side::kAsk);
  EXPECT_EQ(order->price, action.price);
  EXPECT_EQ(order->count.ToQuantity(), action.quantity);
  EXPECT_EQ(order->time_in_force, TimeInForce::kGoodTillCancelled);
  EXPECT_EQ(order->self_trade_prevention, SelfTradePrevention::kCancelMaker);
  EXPECT_FALSE(order->expiration_s.has_value());
  EXPECT_TRUE(order->post_only);
  EXPECT_TRUE(order->cancel_order_on_pause);
  EXPECT_FALSE(order->reduce_only);
}

TEST(OrderCallsTest, AnOrderEndsAtTheEndOfItsSecond) {
  for (const auto& [nanos, seconds] :
       {std::pair<int64_t, int64_t>{5 * kSecondNanos, 5}, {5 * kSecondNanos + 1, 6}}) {
    Action action = AnOrder();
    action.tif = TimeInForce::kGoodTillTime;
    action.expires = nanos;
    engine::kalshi::RequestDecoder decoder;
    const std::string body = CreateCall(action, "RAIN", "run-1").body;
    const auto order = decoder.DecodeCreateOrder(body);
    ASSERT_TRUE(order.ok());
    EXPECT_EQ(order->time_in_force, TimeInForce::kGoodTillCancelled);
    EXPECT_EQ(order->expiration_s, seconds);
  }
}

TEST(OrderCallsTest, NotEveryTimeInForceIsKnownThere) {
  EXPECT_TRUE(IsSendable(TimeInForce::kGoodTillTime));
  EXPECT_TRUE(IsSendable(TimeInForce::kFillOrKill));
  EXPECT_FALSE(IsSendable(TimeInForce::kDay));
  EXPECT_FALSE(IsSendable(TimeInForce()));
}

TEST(OrderCallsTest, ClientIdsOfTheRunAreKnown) {
  EXPECT_EQ(ClientOrderId("run", OrderNumber(6'000'000'001)), "run-6000000001");
  EXPECT_EQ(NumberOf("run", "run-6000000001"), OrderNumber(6'000'000'001));
  EXPECT_EQ(NumberOf("a-run", "a-run-7"), OrderNumber(7));
  for (const char* const other : {"", "-", "run", "run-", "run7", "run--7", "run-7 ", "run-0x7",
                                  "ruN-7", "run2-7", "7", "run-99999999999999999999", "run-7-7"}) {
    EXPECT_EQ(NumberOf("run", other), OrderNumber()) << other;
  }
}

TEST(OrderCallsTest, ErrorsHaveAMeaning) {
  struct Case {
    int status;
    engine::kalshi::ReadError error;
    Refusal refusal;
  };
  const Case kCases[] = {
      {400, {.code = "insufficient_balance"}, Refusal::kNoMoney},
      {400, {.code = "available_balance_too_low"}, Refusal::kNoMoney},
      {400, {.code = "invalid_order", .details = "post only cross"}, Refusal::kWouldTrade},
      {400, {.code = "invalid_order", .message = "post only cross"}, Refusal::kWouldTrade},
      {400, {.code = "invalid_order"}, Refusal::kBadOrder},
      {400, {.code = "invalid_price"}, Refusal::kBadOrder},
      {400, {}, Refusal::kBadOrder},
      {400, {.code = "MARKET_INACTIVE"}, Refusal::kMarketClosed},
      {409, {.code = "market_inactive"}, Refusal::kMarketClosed},
      {409, {.code = "trading_is_paused"}, Refusal::kMarketClosed},
      {404, {.code = "not_found"}, Refusal::kUnknownOrder},
      {404, {.code = "market_not_found"}, Refusal::kBadOrder},
      {429, {}, Refusal::kTooManyRequests},
      {429, {.code = "not_found"}, Refusal::kTooManyRequests},
      {401, {.code = "authentication_error"}, Refusal::kOther},
      {404, {}, Refusal::kOther},
      {410, {.code = "deprecated_v1_order_endpoint"}, Refusal::kOther},
  };
  for (const Case& each : kCases) {
    EXPECT_EQ(RefusalOf(each.status, each.error), each.refusal)
        << each.status << " " << each.error.code;
  }
}

TEST(OrderCallsTest, OnlySomeStatusesSayWhatHappened) {
  for (const int status : {200, 201, 204, 400, 404, 429, 499}) EXPECT_FALSE(IsUnclear(status));
  for (const int status : {-1, 0, 100, 199, 300, 302, 399, 500, 503, 599, 1'000}) {
    EXPECT_TRUE(IsUnclear(status)) << status;
  }
}

}  // namespace
}  // namespace client
