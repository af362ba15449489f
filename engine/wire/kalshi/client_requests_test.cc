#include "engine/wire/kalshi/client_requests.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/types/time_in_force.h"
#include "gtest/gtest.h"
// After gtest, which it needs.
#include "rapidcheck/gtest.h"

namespace engine::kalshi {
namespace {

template <typename T>
std::string Json(const T& value) {
  std::string out;
  JsonWriter json(out);
  Write(value, json);
  return out;
}

TEST(ClientRequestsTest, AnOrderHasWhatTheApiRequires) {
  EXPECT_EQ(Json(CreateOrder{.ticker = "KX-1",
                             .count = Count::FromHundredths(1'000),
                             .price = Price::FromUnits(5'600)}),
            R"({"ticker":"KX-1","side":"bid","count":"10.00","price":"0.5600",)"
            R"("time_in_force":"good_till_canceled",)"
            R"("self_trade_prevention_type":"taker_at_cross"})");
}

TEST(ClientRequestsTest, AnOrderHasWhatDiffersFromTheDefault) {
  EXPECT_EQ(Json(CreateOrder{.ticker = "KX-1",
                             .client_order_id = "r-1",
                             .order_group_id = "g",
                             .side = Side::kAsk,
                             .count = Count::FromHundredths(1),
                             .price = Price::FromUnits(1),
                             .self_trade_prevention = SelfTradePrevention::kCancelMaker,
                             .expiration_s = 1'781'159'370,
                             .post_only = true,
                             .cancel_order_on_pause = true,
                             .exchange_index = 0}),
            R"({"ticker":"KX-1","side":"ask","count":"0.01","price":"0.0001",)"
            R"("time_in_force":"good_till_canceled","self_trade_prevention_type":"maker",)"
            R"("client_order_id":"r-1","order_group_id":"g","expiration_time":1781159370,)"
            R"("post_only":true,"cancel_order_on_pause":true,"exchange_index":0})");
}

TEST(ClientRequestsTest, AnAmendHasAllTermsOfTheOrder) {
  EXPECT_EQ(Json(AmendOrder{.ticker = "KX-1",
                            .client_order_id = "r-1",
                            .updated_client_order_id = "r-2",
                            .count = Count::FromHundredths(500),
                            .price = Price::FromUnits(100),
                            .expiration_s = 0}),
            R"({"ticker":"KX-1","side":"bid","price":"0.0100","count":"5.00",)"
            R"("client_order_id":"r-1","updated_client_order_id":"r-2","expiration_time":0})");
}

TEST(ClientRequestsTest, CommandsAreWrittenAsDocumented) {
  EXPECT_EQ(
      Json(SocketCommand{.id = 1,
                         .body = Subscribe{.channels = {Channel::kOrderbookDelta, Channel::kTrade},
                                           .market_tickers = {"A", "B"},
                                           .use_yes_price = true}}),
      R"({"id":1,"cmd":"subscribe","params":{"channels":["orderbook_delta","trade"],)"
      R"("market_tickers":["A","B"],"use_yes_price":true}})");
  EXPECT_EQ(Json(SocketCommand{.id = 2, .body = Unsubscribe{.sids = {1, 2}}}),
            R"({"id":2,"cmd":"unsubscribe","params":{"sids":[1,2]}})");
  EXPECT_EQ(Json(SocketCommand{
                .id = 3,
                .body = UpdateSubscription{.sid = 7,
                                           .action = UpdateSubscription::Action::kGetSnapshot}}),
            R"({"id":3,"cmd":"update_subscription","params":{"sid":7,"action":"get_snapshot"}})");
  EXPECT_EQ(Json(SocketCommand{.body = ListSubscriptions{}}), R"({"cmd":"list_subscriptions"})");
}

// Texts that JSON must escape among them; the values below are views of them.
std::string AnyText(int size_min, int size_max) {
  const auto size = *rc::gen::inRange(size_min, size_max + 1);
  const auto parts = *rc::gen::container<std::vector<std::string>>(
      static_cast<size_t>(size), rc::gen::element<std::string>("K", "-", "7", " ", "\"", "\\", "\n",
                                                               "\x01", "/", "{", "\u00e9"));
  std::string text;
  for (const std::string& part : parts) text += part;
  return text;
}

Side AnySide() { return *rc::gen::element(Side::kBid, Side::kAsk); }
int32_t AnyExchangeIndex() { return *rc::gen::element(-1, 0); }
Price AnyPrice() { return Price::FromUnits(*rc::gen::inRange<int64_t>(0, 10'001)); }
Count AnyCount() { return Count::FromHundredths(*rc::gen::inRange<int64_t>(1, 10'000'000'001)); }

RC_GTEST_PROP(ClientRequestsProperty, TheVenueReadsTheOrderThatWasWritten, ()) {
  const std::string ticker = AnyText(1, 40);
  const std::string client_order_id = AnyText(0, 60);
  const std::string group = AnyText(0, 40);
  CreateOrder order = {
      .ticker = ticker, .client_order_id = client_order_id, .order_group_id = group};
  order.side = AnySide();
  order.count = AnyCount();
  order.price = AnyPrice();
  order.time_in_force = *rc::gen::element(
      TimeInForce::kGoodTillCancelled, TimeInForce::kImmediateOrCancel, TimeInForce::kFillOrKill);
  order.self_trade_prevention =
      *rc::gen::element(SelfTradePrevention::kCancelTaker, SelfTradePrevention::kCancelMaker);
  if (order.time_in_force == TimeInForce::kGoodTillCancelled) {
    if (*rc::gen::arbitrary<bool>()) {
      order.expiration_s = *rc::gen::inRange<int64_t>(1, 9'223'372'037);
    }
    order.post_only = *rc::gen::arbitrary<bool>();
  }
  if (order.time_in_force == TimeInForce::kImmediateOrCancel) {
    order.reduce_only = *rc::gen::arbitrary<bool>();
  }
  order.cancel_order_on_pause = *rc::gen::arbitrary<bool>();
  order.exchange_index = AnyExchangeIndex();

  RequestDecoder decoder;
  const Result<CreateOrder> read = decoder.DecodeCreateOrder(Json(order));
  RC_ASSERT(read.ok());
  RC_ASSERT(*read == order);
}

RC_GTEST_PROP(ClientRequestsProperty, TheVenueReadsTheAmendThatWasWritten, ()) {
  const std::string ticker = AnyText(1, 40);
  const std::string client_order_id = AnyText(0, 60);
  const std::string updated = AnyText(0, 60);
  AmendOrder amend = {
      .ticker = ticker, .client_order_id = client_order_id, .updated_client_order_id = updated};
  amend.side = AnySide();
  amend.count = AnyCount();
  amend.price = AnyPrice();
  if (*rc::gen::arbitrary<bool>()) {
    amend.expiration_s = *rc::gen::inRange<int64_t>(0, 9'223'372'037);
  }
  amend.exchange_index = AnyExchangeIndex();

  RequestDecoder decoder;
  const Result<AmendOrder> read = decoder.DecodeAmendOrder(Json(amend));
  RC_ASSERT(read.ok());
  RC_ASSERT(*read == amend);
}

// Sorted, each once, as the decoder has them.
std::vector<std::string> AnyTexts(int count_min) {
  std::vector<std::string> texts;
  const auto count = *rc::gen::inRange(count_min, 6);
  for (int i = 0; i < count; ++i) texts.push_back(AnyText(1, 12));
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  return texts;
}

std::vector<absl::string_view> Views(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

void ExpectRead(const SocketCommand& command) {
  CommandDecoder decoder;
  const auto read = decoder.Decode(Json(command));
  RC_ASSERT(std::holds_alternative<SocketCommand>(read));
  RC_ASSERT(std::get<SocketCommand>(read) == command);
}

RC_GTEST_PROP(ClientRequestsProperty, TheVenueReadsTheSubscriptionThatWasWritten, ()) {
  const std::vector<std::string> tickers = AnyTexts(1);
  const std::vector<std::string> ids = AnyTexts(0);
  Subscribe subscribe;
  const auto channels = *rc::gen::unique<std::vector<int>>(rc::gen::inRange(0, kChannelCount));
  for (const int channel : channels) subscribe.channels.push_back(static_cast<Channel>(channel));
  if (channels.empty()) subscribe.channels.push_back(Channel::kTicker);
  subscribe.market_tickers = Views(tickers);
  if (subscribe.channels == std::vector{Channel::kTicker}) subscribe.market_ids = Views(ids);
  subscribe.send_initial_snapshot = *rc::gen::arbitrary<bool>();
  subscribe.skip_ticker_ack = *rc::gen::arbitrary<bool>();
  subscribe.use_yes_price = *rc::gen::arbitrary<bool>();
  ExpectRead({.id = *rc::gen::arbitrary<int64_t>(), .body = subscribe});
}

RC_GTEST_PROP(ClientRequestsProperty, TheVenueReadsTheUpdateThatWasWritten, ()) {
  using Action = UpdateSubscription::Action;
  UpdateSubscription update;
  update.sid = *rc::gen::arbitrary<int64_t>();
  update.action =
      *rc::gen::element(Action::kAddMarkets, Action::kDeleteMarkets, Action::kGetSnapshot);
  const std::vector<std::string> tickers = AnyTexts(update.action == Action::kGetSnapshot ? 0 : 1);
  const std::vector<std::string> ids = AnyTexts(0);
  update.market_tickers = Views(tickers);
  update.market_ids = Views(ids);
  update.send_initial_snapshot = *rc::gen::arbitrary<bool>();
  ExpectRead({.id = *rc::gen::arbitrary<int64_t>(), .body = update});
}

RC_GTEST_PROP(ClientRequestsProperty, TheVenueReadsTheEndOfSubscriptionsThatWasWritten, ()) {
  auto sids = *rc::gen::unique<std::vector<int64_t>>(rc::gen::arbitrary<int64_t>());
  if (sids.empty()) sids.push_back(1);
  const auto id = *rc::gen::arbitrary<int64_t>();
  ExpectRead({.id = id, .body = Unsubscribe{.sids = sids}});
  ExpectRead({.id = id, .body = ListSubscriptions{}});
}

}  // namespace
}  // namespace engine::kalshi
