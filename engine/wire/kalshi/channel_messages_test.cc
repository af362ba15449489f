#include "engine/wire/kalshi/channel_messages.h"

#include <array>
#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "gtest/gtest.h"

namespace engine::kalshi {
namespace {

constexpr MarketName kMarket = {.ticker = "X", .id = "f5ed"};

std::string Json(absl::FunctionRef<void(JsonWriter&)> write) {
  std::string out;
  JsonWriter json(out);
  write(json);
  return out;
}

template <typename T>
std::string Message(const T& value) {
  return Json([&](JsonWriter& json) { Write(value, json); });
}

template <typename T>
std::string Message(const T& value, const BookForm& form) {
  return Json([&](JsonWriter& json) { Write(value, form, json); });
}

Timestamp At(int64_t seconds) { return Timestamp::FromNanos(seconds * 1'000'000'000); }

// The recorded frame: NO 2 at 0.48 is a YES ask at 0.52.
TEST(ChannelMessagesTest, ASnapshotIsTwoLaddersOfBids) {
  const std::array<Level, 1> bids = {{{Price::FromUnits(4'700), Count::FromHundredths(300)}}};
  const std::array<Level, 2> asks = {{{Price::FromUnits(5'200), Count::FromHundredths(200)},
                                      {Price::FromUnits(5'300), Count::FromHundredths(100)}}};
  const OrderbookSnapshot snapshot = {kMarket, {.bids = bids, .asks = asks}};
  EXPECT_EQ(Message(snapshot, {}),
            R"({"market_ticker":"X","market_id":"f5ed","yes_dollars_fp":[["0.4700","3.00"]],)"
            R"("no_dollars_fp":[["0.4700","1.00"],["0.4800","2.00"]]})");
  EXPECT_EQ(Message(snapshot, {.use_yes_price = true}),
            R"({"market_ticker":"X","market_id":"f5ed","yes_dollars_fp":[["0.4700","3.00"]],)"
            R"("no_dollars_fp":[["0.5200","2.00"],["0.5300","1.00"]]})");
}

TEST(ChannelMessagesTest, AnEmptySideMayBeOmitted) {
  const OrderbookSnapshot snapshot = {kMarket, {}};
  EXPECT_EQ(Message(snapshot, {}),
            R"({"market_ticker":"X","market_id":"f5ed","yes_dollars_fp":[],"no_dollars_fp":[]})");
  EXPECT_EQ(Message(snapshot, {.omits_empty_sides = true}),
            R"({"market_ticker":"X","market_id":"f5ed"})");
}

// The recorded frame.
TEST(ChannelMessagesTest, WritesADelta) {
  OrderbookDelta delta = {.market = kMarket,
                          .price = Price::FromUnits(4'700),
                          .change = Count::FromHundredths(-300),
                          .time = Timestamp::FromNanos(1'781'159'489'957'081'000)};
  EXPECT_EQ(Message(delta, {}),
            R"({"market_ticker":"X","market_id":"f5ed","price_dollars":"0.4700",)"
            R"("delta_fp":"-3.00","side":"yes","ts":"2026-06-11T06:31:29.957081Z",)"
            R"("ts_ms":1781159489957})");
  delta.is_own = true;
  delta.client_order_id = "c";
  EXPECT_NE(Message(delta, {}).find(R"("client_order_id":"c","subaccount":0})"), std::string::npos);
}

TEST(ChannelMessagesTest, ANoDeltaHasTheNoPriceUnlessAskedOtherwise) {
  const OrderbookDelta delta = {
      .market = kMarket, .side = Side::kAsk, .price = Price::FromUnits(5'200)};
  EXPECT_NE(Message(delta, {}).find(R"("price_dollars":"0.4800")"), std::string::npos);
  EXPECT_NE(Message(delta, {}).find(R"("side":"no")"), std::string::npos);
  EXPECT_NE(Message(delta, {.use_yes_price = true}).find(R"("price_dollars":"0.5200")"),
            std::string::npos);
}

TEST(ChannelMessagesTest, WritesATicker) {
  EXPECT_EQ(Message(Ticker{.market = kMarket,
                           .last_price = Price::FromUnits(5'000),
                           .bid = Price::FromUnits(4'700),
                           .bid_size = Count::FromHundredths(300),
                           .ask = Price::FromUnits(5'200),
                           .ask_size = Count::FromHundredths(200),
                           .volume = Count::FromHundredths(700),
                           .open_interest = Count::FromHundredths(600),
                           .dollar_volume = Money::FromMicros(7'999'999),
                           .dollar_open_interest = Money::FromMicros(6'000'000),
                           .last_trade_size = Count::FromHundredths(50),
                           .time = At(1)}),
            R"({"market_ticker":"X","market_id":"f5ed","price_dollars":"0.5000",)"
            R"("yes_bid_dollars":"0.4700","yes_ask_dollars":"0.5200","volume_fp":"7.00",)"
            R"("open_interest_fp":"6.00","dollar_volume":7,"dollar_open_interest":6,)"
            R"("yes_bid_size_fp":"3.00","yes_ask_size_fp":"2.00","last_trade_size_fp":"0.50",)"
            R"("ts":1,"ts_ms":1000,"time":"1970-01-01T00:00:01Z"})");
}

TEST(ChannelMessagesTest, WritesATrade) {
  const Trade trade = {.trade_id = "t",
                       .ticker = "X",
                       .count = Count::FromHundredths(100),
                       .price = Price::FromUnits(5'200),
                       .time = At(2)};
  EXPECT_EQ(Json([&](JsonWriter& json) { WriteTradeMessage(trade, json); }),
            R"({"trade_id":"t","market_ticker":"X","yes_price_dollars":"0.5200",)"
            R"("no_price_dollars":"0.4800","count_fp":"1.00","taker_side":"yes",)"
            R"("taker_outcome_side":"yes","taker_book_side":"bid","is_block_trade":false,)"
            R"("ts":2,"ts_ms":2000})");
}

// The recorded fill of 1.16 YES, sold at 0.16.
TEST(ChannelMessagesTest, WritesAFill) {
  EXPECT_EQ(Message(FillMessage{.fill = {.fill_id = "t",
                                         .order_id = "o",
                                         .ticker = "X",
                                         .side = Side::kAsk,
                                         .count = Count::FromHundredths(116),
                                         .price = Price::FromUnits(1'600),
                                         .is_taker = true,
                                         .fee = Money::FromMicros(11'000),
                                         .time = At(1)},
                                .client_order_id = "c",
                                .post_position = Count::FromHundredths(436)}),
            R"({"trade_id":"t","order_id":"o","client_order_id":"c","market_ticker":"X",)"
            R"("exchange_index":0,"is_taker":true,"side":"no","action":"buy",)"
            R"("purchased_side":"no","outcome_side":"no","book_side":"ask",)"
            R"("yes_price_dollars":"0.1600","count_fp":"1.16","fee_cost":"0.011000",)"
            R"("post_position_fp":"4.36","ts":1,"ts_ms":1000,"subaccount":0})");
}

TEST(ChannelMessagesTest, WritesAPosition) {
  EXPECT_EQ(Message(MarketPositionMessage{.user_id = "u",
                                          .market_ticker = "X",
                                          .position = Count::FromHundredths(-100),
                                          .position_cost = Money::FromMicros(1),
                                          .realized_pnl = Money::FromMicros(2),
                                          .fees_paid = Money::FromMicros(3),
                                          .position_fee_cost = Money::FromMicros(4),
                                          .volume = Count::FromHundredths(5)}),
            R"({"user_id":"u","market_ticker":"X","position_fp":"-1.00",)"
            R"("position_cost_dollars":"0.000001","realized_pnl_dollars":"0.000002",)"
            R"("fees_paid_dollars":"0.000003","position_fee_cost_dollars":"0.000004",)"
            R"("volume_fp":"0.05","subaccount":0})");
}

TEST(ChannelMessagesTest, WritesAUserOrder) {
  UserOrderMessage message = {.order = {.order_id = "o",
                                        .user_id = "u",
                                        .client_order_id = "c",
                                        .ticker = "X",
                                        .side = Side::kAsk,
                                        .price = Price::FromUnits(5'200),
                                        .remaining_count = Count::FromHundredths(200),
                                        .initial_count = Count::FromHundredths(200),
                                        .created = At(1),
                                        .last_updated = At(1)}};
  EXPECT_EQ(Message(message),
            R"({"order_id":"o","user_id":"u","ticker":"X","exchange_index":0,)"
            R"("status":"resting","side":"no","is_yes":false,"outcome_side":"no",)"
            R"("book_side":"ask","yes_price_dollars":"0.5200","fill_count_fp":"0.00",)"
            R"("remaining_count_fp":"2.00","initial_count_fp":"2.00",)"
            R"("taker_fill_cost_dollars":"0.000000","maker_fill_cost_dollars":"0.000000",)"
            R"("taker_fees_dollars":"0.000000","maker_fees_dollars":"0.000000",)"
            R"("client_order_id":"c","self_trade_prevention_type":"taker_at_cross",)"
            R"("created_time":"1970-01-01T00:00:01Z","created_ts_ms":1000,)"
            R"("last_update_time":"1970-01-01T00:00:01Z","last_updated_ts_ms":1000,)"
            R"("subaccount_number":0})");
  message.order.expiration = At(9);
  message.order.order_group_id = "g";
  message.reason = OrderUpdate::kSelfTradeCancel;
  const std::string json = Message(message);
  for (const char* member :
       {R"("expiration_time":"1970-01-01T00:00:09Z","expiration_ts_ms":9000)",
        R"("order_group_id":"g")", R"("last_update_reason":"SelfTradeCancel"})"}) {
    EXPECT_NE(json.find(member), std::string::npos) << member;
  }
}

TEST(ChannelMessagesTest, WritesTheLifecycleOfAMarket) {
  const auto text = [](absl::FunctionRef<void(JsonWriter&)> write) { return Json(write); };
  EXPECT_EQ(text([](JsonWriter& json) { WriteMarketActivated("X", false, json); }),
            R"({"market_ticker":"X","event_type":"activated","is_deactivated":false})");
  EXPECT_EQ(text([](JsonWriter& json) { WriteMarketActivated("X", true, json); }),
            R"({"market_ticker":"X","event_type":"deactivated","is_deactivated":true})");
  EXPECT_EQ(text([](JsonWriter& json) { WriteCloseDateUpdated("X", At(5), json); }),
            R"({"market_ticker":"X","event_type":"close_date_updated","close_ts":5})");
  EXPECT_EQ(text([](JsonWriter& json) {
              WriteMarketDetermined("X", MarketResult::kYes, kOneDollar, At(6), json);
            }),
            R"({"market_ticker":"X","event_type":"determined","determination_ts":6,)"
            R"("result":"yes","settlement_value":"1.0000"})");
  EXPECT_EQ(text([](JsonWriter& json) { WriteMarketSettled("X", At(7), json); }),
            R"({"market_ticker":"X","event_type":"settled","settled_ts":7})");
}

TEST(ChannelMessagesTest, WritesANewMarketAndItsEvent) {
  const std::array<PriceRange, 1> cents = {{{Price(), kOneDollar, Price::FromUnits(100)}}};
  const Market market = {.ticker = "X",
                         .event_ticker = "E",
                         .title = "T",
                         .yes_sub_title = "Yes",
                         .no_sub_title = "No",
                         .open_time = At(1),
                         .close_time = At(2),
                         .latest_expiration_time = At(3),
                         .price_level_structure = "linear_cent",
                         .price_ranges = cents,
                         .cap_strike_millionths = 5'000'000};
  EXPECT_EQ(Json([&](JsonWriter& json) { WriteMarketCreated(market, json); }),
            R"({"market_ticker":"X","event_type":"created","exchange_index":0,"open_ts":1,)"
            R"("close_ts":2,"price_level_structure":"linear_cent",)"
            R"("price_ranges":[{"start":"0.0000","end":"1.0000","step":"0.0100"}],)"
            R"("additional_metadata":{"name":"Yes","title":"T","yes_sub_title":"Yes",)"
            R"("no_sub_title":"No","rules_primary":"","rules_secondary":"",)"
            R"("can_close_early":true,"event_ticker":"E","expected_expiration_ts":3,)"
            R"("cap_strike":5}})");
}

TEST(ChannelMessagesTest, WritesUpdatesOfGroups) {
  EXPECT_EQ(
      Message(OrderGroupUpdateMessage{
          .order_group_id = "g", .contracts_limit = Count::FromHundredths(1'000), .time = At(1)}),
      R"({"event_type":"created","order_group_id":"g","contracts_limit_fp":"10.00",)"
      R"("ts_ms":1000})");
  EXPECT_EQ(
      Message(OrderGroupUpdateMessage{.update = GroupUpdate::kTriggered, .order_group_id = "g"}),
      R"({"event_type":"triggered","order_group_id":"g","ts_ms":0})");
}

}  // namespace
}  // namespace engine::kalshi
