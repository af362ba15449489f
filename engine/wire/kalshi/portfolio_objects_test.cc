#include "engine/wire/kalshi/portfolio_objects.h"

#include <cstdint>
#include <string>

#include "gtest/gtest.h"

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

// The recorded answer.
TEST(PortfolioObjectsTest, WritesABalance) {
  EXPECT_EQ(Json(Balance{.balance = Money::FromMicros(98'018'600),
                         .portfolio_value = Money::FromMicros(1'989'999),
                         .updated = At(1'781'159'348)}),
            R"({"balance":9801,"balance_dollars":"98.0186","portfolio_value":198,)"
            R"("updated_ts":1781159348,)"
            R"("balance_breakdown":[{"balance":"98.0186","exchange_index":0}]})");
}

TEST(PortfolioObjectsTest, WritesTheValueOfRestingOrders) {
  EXPECT_EQ(Json(RestingOrderValue{.total = Money::FromMicros(1'230'000)}),
            R"({"total_resting_order_value":123,)"
            R"("resting_order_value_breakdown":[{"balance":"1.2300","exchange_index":0}]})");
}

TEST(PortfolioObjectsTest, WritesPositions) {
  EXPECT_EQ(Json(MarketPosition{.ticker = "KX",
                                .total_traded = Money::FromMicros(4'950'000),
                                .position = Count::FromHundredths(-436),
                                .market_exposure = Money::FromMicros(1),
                                .realized_pnl = Money::FromMicros(-50'000),
                                .fees_paid = Money::FromMicros(17'500),
                                .last_updated = At(1)}),
            R"({"ticker":"KX","exchange_index":0,"total_traded_dollars":"4.950000",)"
            R"("position_fp":"-4.36","market_exposure_dollars":"0.000001",)"
            R"("realized_pnl_dollars":"-0.050000","fees_paid_dollars":"0.017500",)"
            R"("resting_orders_count":0,"last_updated_ts":"1970-01-01T00:00:01Z"})");
  EXPECT_EQ(Json(EventPosition{.event_ticker = "K",
                               .total_cost = Money::FromMicros(1),
                               .total_cost_shares = Count::FromHundredths(2),
                               .event_exposure = Money::FromMicros(3),
                               .realized_pnl = Money::FromMicros(4),
                               .fees_paid = Money::FromMicros(5)}),
            R"({"event_ticker":"K","total_cost_dollars":"0.000001","total_cost_shares_fp":"0.02",)"
            R"("event_exposure_dollars":"0.000003","realized_pnl_dollars":"0.000004",)"
            R"("fees_paid_dollars":"0.000005"})");
}

// The recorded fill of 1.16 YES, sold at 0.16.
TEST(PortfolioObjectsTest, WritesAFill) {
  EXPECT_EQ(Json(Fill{.fill_id = "f",
                      .order_id = "o",
                      .ticker = "KX",
                      .side = Side::kAsk,
                      .count = Count::FromHundredths(116),
                      .price = Price::FromUnits(1'600),
                      .is_taker = true,
                      .fee = Money::FromMicros(11'000),
                      .time = At(9)}),
            R"({"fill_id":"f","trade_id":"f","exchange_index":0,"order_id":"o","ticker":"KX",)"
            R"("market_ticker":"KX","side":"no","action":"buy","outcome_side":"no",)"
            R"("book_side":"ask","count_fp":"1.16","yes_price_dollars":"0.1600",)"
            R"("no_price_dollars":"0.8400","is_taker":true,"fee_cost":"0.011000",)"
            R"("created_time":"1970-01-01T00:00:09Z","subaccount_number":0,"ts":9})");
}

TEST(PortfolioObjectsTest, WritesASettlement) {
  Settlement settlement = {.ticker = "KX-1",
                           .event_ticker = "KX",
                           .result = MarketResult::kNo,
                           .yes_count = Count::FromHundredths(100),
                           .yes_total_cost = Money::FromMicros(520'000),
                           .revenue = Money::FromMicros(1'000'000),
                           .fee = Money::FromMicros(17'500),
                           .settled = At(1)};
  EXPECT_EQ(Json(settlement),
            R"({"ticker":"KX-1","exchange_index":0,"event_ticker":"KX","market_result":"no",)"
            R"("yes_count_fp":"1.00","yes_total_cost_dollars":"0.520000","no_count_fp":"0.00",)"
            R"("no_total_cost_dollars":"0.000000","revenue":100,)"
            R"("settled_time":"1970-01-01T00:00:01Z","fee_cost":"0.017500"})");
  settlement.value = kOneDollar;
  EXPECT_NE(Json(settlement).find(R"("value":100})"), std::string::npos);
}

// The recorded bid of 1 at 0.01.
TEST(PortfolioObjectsTest, WritesAnOrder) {
  EXPECT_EQ(Json(Order{.order_id = "o",
                       .user_id = "u",
                       .ticker = "KX",
                       .price = Price::FromUnits(100),
                       .remaining_count = Count::FromHundredths(100),
                       .initial_count = Count::FromHundredths(100),
                       .created = At(1),
                       .last_updated = At(2)}),
            R"({"order_id":"o","user_id":"u","client_order_id":"","ticker":"KX","side":"yes",)"
            R"("action":"buy","outcome_side":"yes","book_side":"bid","type":"limit",)"
            R"("status":"resting","no_price_dollars":"0.9900","yes_price_dollars":"0.0100",)"
            R"("fill_count_fp":"0.00","remaining_count_fp":"1.00","initial_count_fp":"1.00",)"
            R"("taker_fill_cost_dollars":"0.000000","maker_fill_cost_dollars":"0.000000",)"
            R"("taker_fees_dollars":"0.000000","maker_fees_dollars":"0.000000",)"
            R"("expiration_time":null,"created_time":"1970-01-01T00:00:01Z",)"
            R"("last_update_time":"1970-01-01T00:00:02Z",)"
            R"("self_trade_prevention_type":"taker_at_cross","order_group_id":null,)"
            R"("cancel_order_on_pause":false,"subaccount_number":0,"exchange_index":0})");
}

TEST(PortfolioObjectsTest, AnOrderHasWhatItWasGiven) {
  const std::string json = Json(Order{.client_order_id = "c",
                                      .side = Side::kAsk,
                                      .status = OrderStatus::kCanceled,
                                      .self_trade_prevention = SelfTradePrevention::kCancelMaker,
                                      .cancel_order_on_pause = true,
                                      .order_group_id = "g",
                                      .expiration = At(3),
                                      .subaccount = 7});
  for (const char* member :
       {R"("client_order_id":"c")", R"("side":"no","action":"buy")", R"("book_side":"ask")",
        R"("status":"canceled")", R"("self_trade_prevention_type":"maker")",
        R"("order_group_id":"g")", R"("expiration_time":"1970-01-01T00:00:03Z")",
        R"("cancel_order_on_pause":true)", R"("subaccount_number":7)"}) {
    EXPECT_NE(json.find(member), std::string::npos) << member;
  }
  EXPECT_EQ(ToText(OrderStatus::kExecuted), "executed");
}

TEST(PortfolioObjectsTest, WritesQueuePositions) {
  EXPECT_EQ(Json(QueuePosition{
                .order_id = "o", .market_ticker = "KX", .position = Count::FromHundredths(250)}),
            R"({"order_id":"o","market_ticker":"KX","queue_position_fp":"2.50"})");
  std::string out;
  JsonWriter json(out);
  WriteQueuePositionReply(Count(), json);
  EXPECT_EQ(out, R"({"queue_position_fp":"0.00"})");
}

}  // namespace
}  // namespace engine::kalshi
