#include "engine/wire/kalshi/market_objects.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "simdjson.h"

namespace engine::kalshi {
namespace {

template <typename T>
std::string Json(const T& value) {
  std::string out;
  JsonWriter json(out);
  Write(value, json);
  return out;
}

Timestamp At(int64_t seconds) { return Timestamp::FromNanos(seconds * 1'000'000'000); }

constexpr std::array<PriceRange, 1> kCents = {{{Price(), kOneDollar, Price::FromUnits(100)}}};

// The names of an object's members, and of no other.
std::vector<std::string> Names(const std::string& text) {
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  EXPECT_EQ(parser.parse(text).get(object), simdjson::SUCCESS) << text;
  std::vector<std::string> names;
  for (const auto& field : object) names.emplace_back(field.key);
  return names;
}

bool Has(const std::vector<std::string>& names, const char* name) {
  return std::count(names.begin(), names.end(), name) == 1;
}

TEST(MarketObjectsTest, AMarketHasEveryRequiredMember) {
  const auto names = Names(Json(Market{}));
  for (const char* name : {"ticker",
                           "event_ticker",
                           "market_type",
                           "yes_sub_title",
                           "no_sub_title",
                           "created_time",
                           "updated_time",
                           "open_time",
                           "close_time",
                           "latest_expiration_time",
                           "settlement_timer_seconds",
                           "status",
                           "yes_bid_dollars",
                           "yes_bid_size_fp",
                           "yes_ask_dollars",
                           "yes_ask_size_fp",
                           "no_bid_dollars",
                           "no_ask_dollars",
                           "last_price_dollars",
                           "volume_fp",
                           "volume_24h_fp",
                           "result",
                           "can_close_early",
                           "open_interest_fp",
                           "notional_value_dollars",
                           "previous_yes_bid_dollars",
                           "previous_yes_ask_dollars",
                           "previous_price_dollars",
                           "settlement_bounds_type",
                           "expiration_value",
                           "rules_primary",
                           "rules_secondary",
                           "price_level_structure",
                           "price_ranges"}) {
    EXPECT_TRUE(Has(names, name)) << name;
  }
  for (const char* name : {"title", "settlement_ts", "floor_strike", "expiration_time"}) {
    EXPECT_FALSE(Has(names, name)) << name;
  }
}

TEST(MarketObjectsTest, WritesAMarket) {
  const Market market = {.ticker = "KX-1",
                         .event_ticker = "KX",
                         .title = "Will it?",
                         .yes_sub_title = "Yes",
                         .no_sub_title = "No",
                         .created_time = At(1),
                         .updated_time = At(2),
                         .open_time = At(3),
                         .close_time = At(4),
                         .latest_expiration_time = At(5),
                         .settlement_timer_seconds = 60,
                         .status = MarketStatus::kActive,
                         .bid = Price::FromUnits(4'700),
                         .bid_size = Count::FromHundredths(300),
                         .ask = Price::FromUnits(5'200),
                         .ask_size = Count::FromHundredths(100),
                         .last_price = Price::FromUnits(5'000),
                         .volume = Count::FromHundredths(12'345),
                         .rules_primary = "Rules",
                         .price_level_structure = "linear_cent",
                         .price_ranges = kCents,
                         .strike_type = "greater",
                         .floor_strike_millionths = 67'250'500'000};
  EXPECT_EQ(
      Json(market),
      R"({"ticker":"KX-1","event_ticker":"KX","market_type":"binary","title":"Will it?",)"
      R"("yes_sub_title":"Yes","no_sub_title":"No","status":"active",)"
      R"("created_time":"1970-01-01T00:00:01Z","updated_time":"1970-01-01T00:00:02Z",)"
      R"("open_time":"1970-01-01T00:00:03Z","close_time":"1970-01-01T00:00:04Z",)"
      R"("latest_expiration_time":"1970-01-01T00:00:05Z","settlement_timer_seconds":60,)"
      R"("yes_bid_dollars":"0.4700","yes_bid_size_fp":"3.00","yes_ask_dollars":"0.5200",)"
      R"("yes_ask_size_fp":"1.00","no_bid_dollars":"0.4800","no_ask_dollars":"0.5300",)"
      R"("last_price_dollars":"0.5000","previous_yes_bid_dollars":"0.0000",)"
      R"("previous_yes_ask_dollars":"1.0000","previous_price_dollars":"0.0000",)"
      R"("notional_value_dollars":"1.0000","liquidity_dollars":"0.0000","volume_fp":"123.45",)"
      R"("volume_24h_fp":"0.00","open_interest_fp":"0.00","result":"","can_close_early":true,)"
      R"("expiration_value":"","settlement_bounds_type":"default","rules_primary":"Rules",)"
      R"("rules_secondary":"","strike_type":"greater","floor_strike":67250.5,)"
      R"("price_level_structure":"linear_cent",)"
      R"("price_ranges":[{"start":"0.0000","end":"1.0000","step":"0.0100"}],)"
      R"("response_price_units":"usd_cent","fractional_trading_enabled":true,"exchange_index":0})");
}

TEST(MarketObjectsTest, ASettledMarketHasItsResult) {
  const std::string json = Json(Market{.status = MarketStatus::kFinalized,
                                       .result = MarketResult::kYes,
                                       .settlement_value = kOneDollar,
                                       .settlement_time = At(9),
                                       .custom_strike_json = R"({"a":1})"});
  EXPECT_NE(json.find(R"("status":"finalized")"), std::string::npos);
  EXPECT_NE(json.find(R"("result":"yes")"), std::string::npos);
  EXPECT_NE(json.find(R"("settlement_value_dollars":"1.0000")"), std::string::npos);
  EXPECT_NE(json.find(R"("settlement_ts":"1970-01-01T00:00:09Z")"), std::string::npos);
  EXPECT_NE(json.find(R"("custom_strike":{"a":1})"), std::string::npos);
}

TEST(MarketObjectsTest, WritesAnEvent) {
  Event event = {.event_ticker = "KX", .series_ticker = "K", .title = "T", .sub_title = "S"};
  EXPECT_EQ(Json(event),
            R"({"event_ticker":"KX","series_ticker":"K","title":"T","sub_title":"S",)"
            R"("collateral_return_type":"","mutually_exclusive":false,"category":"",)"
            R"("available_on_brokers":false,"settlement_sources":[],"exchange_index":0})");
  const std::array<Market, 2> markets = {};
  event.has_markets = true;
  EXPECT_NE(Json(event).find(R"("markets":[])"), std::string::npos);
  event.markets = markets;
  EXPECT_NE(Json(event).find(R"("markets":[{"ticker":"","event)"), std::string::npos);
}

TEST(MarketObjectsTest, WritesASeries) {
  const std::array<absl::string_view, 2> tags = {"a", "b"};
  const std::array<SettlementSource, 1> sources = {{{"Source", "https://example.org"}}};
  EXPECT_EQ(Json(Series{.ticker = "K",
                        .frequency = "daily",
                        .title = "T",
                        .category = "C",
                        .tags = tags,
                        .settlement_sources = sources,
                        .fee_type = FeeType::kQuadraticWithMakerFees,
                        .fee_multiplier_millionths = 500'000}),
            R"({"ticker":"K","frequency":"daily","title":"T","category":"C","categories":[],)"
            R"("tags":["a","b"],)"
            R"("settlement_sources":[{"name":"Source","url":"https://example.org"}],)"
            R"("contract_url":"","contract_terms_url":"","fee_type":"quadratic_with_maker_fees",)"
            R"("fee_multiplier":0.5,"additional_prohibitions":[],"exchange_index":0})");
}

TEST(MarketObjectsTest, WritesAFeeChange) {
  EXPECT_EQ(Json(SeriesFeeChange{.id = "i",
                                 .series_ticker = "K",
                                 .fee_type = FeeType::kFlat,
                                 .fee_multiplier_millionths = 2'000'000,
                                 .scheduled = At(1)}),
            R"({"id":"i","series_ticker":"K","fee_type":"flat","fee_multiplier":2,)"
            R"("scheduled_ts":"1970-01-01T00:00:01Z"})");
}

constexpr std::array<Level, 2> kBids = {{{Price::FromUnits(4'700), Count::FromHundredths(300)},
                                         {Price::FromUnits(4'500), Count::FromHundredths(100)}}};
constexpr std::array<Level, 2> kAsks = {{{Price::FromUnits(5'200), Count::FromHundredths(300)},
                                         {Price::FromUnits(5'300), Count::FromHundredths(50)}}};

// A YES ask at 0.52 is a NO bid at 0.48. The best is last.
TEST(MarketObjectsTest, ABookIsTwoLaddersOfBids) {
  std::string out;
  JsonWriter json(out);
  WriteOrderbookReply({.bids = kBids, .asks = kAsks}, 0, json);
  EXPECT_EQ(out, R"({"orderbook_fp":{"yes_dollars":[["0.4500","1.00"],["0.4700","3.00"]],)"
                 R"("no_dollars":[["0.4700","0.50"],["0.4800","3.00"]]}})");
}

TEST(MarketObjectsTest, TheDepthKeepsTheBestLevels) {
  std::string out;
  JsonWriter json(out);
  Write(Book{.bids = kBids, .asks = kAsks}, 1, json);
  EXPECT_EQ(out, R"({"yes_dollars":[["0.4700","3.00"]],"no_dollars":[["0.4800","3.00"]]})");
}

TEST(MarketObjectsTest, AnEmptySideIsAnEmptyList) {
  std::string out;
  JsonWriter json(out);
  WriteTickerAndBook("KX", Book{}, json);
  EXPECT_EQ(out, R"({"ticker":"KX","orderbook_fp":{"yes_dollars":[],"no_dollars":[]}})");
}

TEST(MarketObjectsTest, WritesATrade) {
  EXPECT_EQ(Json(Trade{.trade_id = "t",
                       .ticker = "KX",
                       .count = Count::FromHundredths(116),
                       .price = Price::FromUnits(1'600),
                       .taker_side = Side::kAsk,
                       .time = At(1)}),
            R"({"trade_id":"t","ticker":"KX","count_fp":"1.16","yes_price_dollars":"0.1600",)"
            R"("no_price_dollars":"0.8400","taker_side":"no","taker_outcome_side":"no",)"
            R"("taker_book_side":"ask","created_time":"1970-01-01T00:00:01Z",)"
            R"("is_block_trade":false})");
}

TEST(MarketObjectsTest, ACandlestickWithoutTradesHasNoPrice) {
  const Bar bar = {.open = Price::FromUnits(1),
                   .low = Price::FromUnits(2),
                   .high = Price::FromUnits(3),
                   .close = Price::FromUnits(4)};
  Candlestick candle = {.end_s = 60, .bid = bar, .ask = bar};
  const std::string text =
      R"("open_dollars":"0.0001","low_dollars":"0.0002","high_dollars":"0.0003",)"
      R"("close_dollars":"0.0004")";
  EXPECT_EQ(Json(candle), R"({"end_period_ts":60,"yes_bid":{)" + text + R"(},"yes_ask":{)" + text +
                              R"(},"price":{},"volume_fp":"0.00","open_interest_fp":"0.00"})");
  candle.price = bar;
  candle.mean = Price::FromUnits(5);
  candle.previous = Price::FromUnits(6);
  EXPECT_NE(Json(candle).find(R"("price":{)" + text +
                              R"(,"min_dollars":"0.0002","max_dollars":"0.0003",)"
                              R"("mean_dollars":"0.0005","previous_dollars":"0.0006"})"),
            std::string::npos);
}

TEST(MarketObjectsTest, EveryStatusAndFeeTypeHasItsText) {
  EXPECT_EQ(ToText(MarketStatus::kInitialized), "initialized");
  EXPECT_EQ(ToText(MarketStatus::kInactive), "inactive");
  EXPECT_EQ(ToText(MarketStatus::kClosed), "closed");
  EXPECT_EQ(ToText(MarketStatus::kDetermined), "determined");
  EXPECT_EQ(ToText(MarketStatus::kDisputed), "disputed");
  EXPECT_EQ(ToText(MarketStatus::kAmended), "amended");
  EXPECT_EQ(ToText(MarketResult::kNo), "no");
  EXPECT_EQ(ToText(MarketResult::kScalar), "scalar");
  EXPECT_EQ(ToText(FeeType::kQuadratic), "quadratic");
  EXPECT_EQ(ToText(FeeType::kQuadraticWithComboMakerFees), "quadratic_with_combo_maker_fees");
}

}  // namespace
}  // namespace engine::kalshi
