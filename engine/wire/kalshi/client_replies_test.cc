#include "engine/wire/kalshi/client_replies.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/wire/kalshi/errors.h"
#include "engine/wire/kalshi/exchange_objects.h"
#include "engine/wire/kalshi/order_replies.h"
#include "gtest/gtest.h"
// After gtest, which it needs.
#include "rapidcheck/gtest.h"

namespace engine::kalshi {
namespace {

Timestamp At(int64_t seconds) { return Timestamp::FromNanos(seconds * 1'000'000'000); }

template <typename T>
std::string Json(const T& value) {
  std::string out;
  AppendObject(value, out);
  return out;
}

// A body with these items under `key`.
template <typename T>
std::string List(absl::string_view key, const std::vector<T>& items, absl::string_view cursor) {
  std::string out;
  ListWriter list(out, key);
  for (const T& item : items) list.Add(item);
  list.FinishWithCursor(cursor);
  return out;
}

constexpr absl::string_view kOrderId = "9df498fd-1ffe-833c-b2d6-14a55c96b914";

Order RestingOrder() {
  return {.order_id = kOrderId,
          .user_id = "u",
          .client_order_id = "run-\"1\"",
          .ticker = "KX-1",
          .side = Side::kAsk,
          .status = OrderStatus::kResting,
          .price = Price::FromUnits(5'600),
          .fill_count = Count::FromHundredths(150),
          .remaining_count = Count::FromHundredths(850),
          .initial_count = Count::FromHundredths(1'000),
          .taker_fill_cost = Money::FromMicros(123'456),
          .maker_fill_cost = Money::FromMicros(7),
          .taker_fees = Money::FromMicros(17'500),
          .maker_fees = Money::FromMicros(1),
          .self_trade_prevention = SelfTradePrevention::kCancelMaker,
          .cancel_order_on_pause = true,
          .order_group_id = "g",
          .expiration = At(9),
          .created = Timestamp::FromNanos(1'781'159'489'957'081'000),
          .last_updated = At(8),
          .subaccount = 3};
}

class ClientRepliesTest : public testing::Test {
 protected:
  // The error of a body whose order lacks these members, or has others in their place.
  std::string OrderError(absl::string_view old_text, absl::string_view new_text) {
    std::string body = List<Order>("orders", {RestingOrder()}, "");
    const size_t at = body.find(std::string(old_text));
    EXPECT_NE(at, std::string::npos) << old_text;
    body.replace(at, old_text.size(), std::string(new_text));
    const auto page = reader_.Orders(body);
    EXPECT_EQ(page.status().code(), absl::StatusCode::kInvalidArgument) << body;
    return std::string(page.status().message());
  }

  ReplyReader reader_;
};

TEST_F(ClientRepliesTest, ReadsTheReplyToACreate) {
  const CreateReply written = {.order_id = kOrderId,
                               .client_order_id = "run-1",
                               .fills = {.count = Count::FromHundredths(100),
                                         .value = Money::FromMicros(520'000),
                                         .fees = Money::FromMicros(17'500)},
                               .remaining_count = Count::FromHundredths(250),
                               .time = At(1)};
  const std::string body = Json(written);
  const auto read = reader_.OrderReply(body);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->order_id, written.order_id);
  EXPECT_EQ(read->client_order_id, "run-1");
  EXPECT_EQ(read->fill_count, written.fills.count);
  EXPECT_EQ(read->remaining_count, written.remaining_count);
}

// Recorded.
TEST_F(ClientRepliesTest, ReadsTheRecordedReplies) {
  const auto created = reader_.OrderReply(
      R"({"order_id":"o","client_order_id":"","fill_count":"1.00","remaining_count":"0.00",)"
      R"("average_fill_price":"0.5200","average_fee_paid":"0.0175","ts_ms":1781159370164})");
  ASSERT_TRUE(created.ok()) << created.status();
  EXPECT_EQ(created->fill_count, Count::FromHundredths(100));
  const auto balance = reader_.Balance(
      R"({"balance":9801,"balance_dollars":"98.0186","portfolio_value":198,)"
      R"("updated_ts":1781159348,"balance_breakdown":[{"balance":"98.0186","exchange_index":0}]})");
  ASSERT_TRUE(balance.ok()) << balance.status();
  EXPECT_EQ(*balance, Money::FromMicros(98'018'600));
  const auto limits =
      reader_.Limits(R"({"usage_tier":"basic","read":{"bucket_capacity":200,"refill_rate":201},)"
                     R"("write":{"bucket_capacity":100,"refill_rate":101},"grants":[]})");
  ASSERT_TRUE(limits.ok()) << limits.status();
  EXPECT_EQ(limits->read_capacity, 200u);
  EXPECT_EQ(limits->read_refill, 201u);
  EXPECT_EQ(limits->write_capacity, 100u);
  EXPECT_EQ(limits->write_refill, 101u);
}

TEST_F(ClientRepliesTest, ReadsTheReplyToACancel) {
  const auto read = reader_.CancelReply(
      Json(CancelReply{.order_id = "o", .reduced_by = Count::FromHundredths(7)}));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->order_id, "o");
  EXPECT_EQ(read->reduced_by, Count::FromHundredths(7));
}

TEST_F(ClientRepliesTest, ReadsOrders) {
  Order other = {.order_id = "p", .ticker = "KX-2", .status = OrderStatus::kExecuted};
  const std::vector<Order> written = {RestingOrder(), other};
  const std::string body = List("orders", written, "AQ");
  const auto page = reader_.Orders(body);
  ASSERT_TRUE(page.ok()) << page.status();
  EXPECT_EQ(page->cursor, "AQ");
  EXPECT_EQ(page->items, written);
}

TEST_F(ClientRepliesTest, AnOrderNeedsOnlyWhatIdentifiesAndMeasuresIt) {
  const auto page = reader_.Orders(
      R"({"orders":[{"order_id":"o","ticker":"T","outcome_side":"no","status":"canceled",)"
      R"("yes_price_dollars":"0.01","fill_count_fp":"0","remaining_count_fp":"0.00",)"
      R"("initial_count_fp":"5.5","order_group_id":null,"expiration_time":null,"new":{"a":[1]}}]})");
  ASSERT_TRUE(page.ok()) << page.status();
  EXPECT_EQ(page->cursor, "");
  EXPECT_EQ(page->items, (std::vector<Order>{{.order_id = "o",
                                              .ticker = "T",
                                              .side = Side::kAsk,
                                              .status = OrderStatus::kCanceled,
                                              .price = Price::FromUnits(100),
                                              .initial_count = Count::FromHundredths(550)}}));
}

TEST_F(ClientRepliesTest, ReadsFills) {
  const Fill written = {.fill_id = "t",
                        .order_id = "o",
                        .ticker = "KX-1",
                        .side = Side::kAsk,
                        .count = Count::FromHundredths(116),
                        .price = Price::FromUnits(1'600),
                        .is_taker = true,
                        .fee = Money::FromMicros(11'000),
                        .time = Timestamp::FromNanos(1'781'159'489'957'081'000),
                        .subaccount = 1};
  const std::string body = List<Fill>("fills", {written}, "");
  const auto page = reader_.Fills(body);
  ASSERT_TRUE(page.ok()) << page.status();
  EXPECT_EQ(page->items, std::vector<Fill>{written});
}

TEST_F(ClientRepliesTest, AFillHasOneOfTwoNamesForEachThing) {
  const auto page = reader_.Fills(
      R"({"fills":[{"fill_id":"f","order_id":"o","ticker":"T","book_side":"bid",)"
      R"("count_fp":"1.00","yes_price_dollars":"0.5","is_taker":false,"fee_cost":"0.00",)"
      R"("ts":1781159489}],"cursor":""})");
  ASSERT_TRUE(page.ok()) << page.status();
  EXPECT_EQ(page->items[0].fill_id, "f");
  EXPECT_EQ(page->items[0].ticker, "T");
  EXPECT_EQ(page->items[0].time, At(1'781'159'489));
}

TEST_F(ClientRepliesTest, ReadsPositions) {
  const MarketPosition written = {.ticker = "KX-1",
                                  .total_traded = Money::FromMicros(1),
                                  .position = Count::FromHundredths(-250),
                                  .market_exposure = Money::FromMicros(2),
                                  .realized_pnl = Money::FromMicros(-3),
                                  .fees_paid = Money::FromMicros(4),
                                  .resting_orders_count = 5,
                                  .last_updated = At(6)};
  std::string body;
  ListWriter list(body, "market_positions");
  list.Add(written);
  list.Next("event_positions");
  list.FinishWithCursor("");
  const auto page = reader_.Positions(body);
  ASSERT_TRUE(page.ok()) << page.status();
  EXPECT_EQ(page->items, std::vector<MarketPosition>{written});
  const auto bare = reader_.Positions(
      R"({"market_positions":[{"ticker":"T","position_fp":"3.00"}],"cursor":"c"})");
  ASSERT_TRUE(bare.ok()) << bare.status();
  EXPECT_EQ(bare->items[0].position, Count::FromHundredths(300));
}

TEST_F(ClientRepliesTest, ReadsMarkets) {
  const std::array<PriceRange, 2> ranges = {
      {{Price(), Price::FromUnits(1'000), Price::FromUnits(10)},
       {Price::FromUnits(1'000), kOneDollar, Price::FromUnits(100)}}};
  const Market written = {.ticker = "KX-1",
                          .title = "Title",
                          .close_time = At(5),
                          .status = MarketStatus::kFinalized,
                          .result = MarketResult::kYes,
                          .settlement_value = kOneDollar,
                          .price_ranges = ranges};
  std::string body;
  AppendObject("market", written, body);
  const auto one = reader_.Market(body);
  ASSERT_TRUE(one.ok()) << one.status();
  EXPECT_EQ(one->ticker, "KX-1");
  EXPECT_EQ(one->title, "Title");
  EXPECT_EQ(one->status, "finalized");
  EXPECT_EQ(one->price_ranges, std::vector<PriceRange>(ranges.begin(), ranges.end()));
  EXPECT_EQ(one->close_time, At(5));
  EXPECT_EQ(one->result, "yes");
  EXPECT_EQ(one->settlement_value, kOneDollar);

  const std::string list = List<Market>("markets", {written, {.ticker = "KX-2"}}, "c");
  const auto page = reader_.Markets(list);
  ASSERT_TRUE(page.ok()) << page.status();
  ASSERT_EQ(page->items.size(), 2u);
  EXPECT_EQ(page->items[1].ticker, "KX-2");
  EXPECT_EQ(page->items[1].settlement_value, std::nullopt);
  EXPECT_EQ(page->cursor, "c");
}

TEST_F(ClientRepliesTest, ReadsTheBalance) {
  const std::string body = Json(Balance{.balance = Money::FromMicros(-98'018'600)});
  EXPECT_EQ(reader_.Balance(body).value(), Money::FromMicros(-98'018'600));
  EXPECT_EQ(reader_.Balance(R"({"balance":9801})").value(), Money::FromMicros(98'010'000));
}

TEST_F(ClientRepliesTest, ReadsErrorsOfAllShapes) {
  const auto read = [this](const Error& error) {
    std::string body;
    AppendErrorBody(error, body);
    const ReadError found = reader_.Error(body);
    return absl::StrCat(found.code, "|", found.message, "|", found.details);
  };
  EXPECT_EQ(read({errors::kInvalidOrder, "post only cross"}),
            "invalid_order|invalid order|post only cross");
  EXPECT_EQ(read({errors::kNotFound, ""}), "not_found|not found|");
  EXPECT_EQ(read({errors::kBadRequest, "json: d"}), "bad_request|bad request|json: d");
  EXPECT_EQ(read({errors::kBadParameter, "Parameter validation failed"}),
            "|Parameter validation failed|");
  EXPECT_EQ(read({errors::kTooManyRequests, ""}), "|too many requests|");
  EXPECT_EQ(read({errors::kRouteNotFound, ""}), "||");
}

TEST_F(ClientRepliesTest, ABodyThatIsNoErrorHasNone) {
  for (const char* body : {"", "[]", "7", "{}", "\"x\"", "{\"error\":7}",
                           "{\"error\":{\"code\":1}}", "<html>", "\xFF", "{\"msg\":{}}"}) {
    const ReadError error = reader_.Error(body);
    EXPECT_EQ(absl::StrCat(error.code, error.message, error.details), "") << body;
  }
}

TEST_F(ClientRepliesTest, AnErrorNamesTheMemberAndWhatWasExpected) {
  EXPECT_EQ(OrderError(R"("order_id":)", R"("id":)"), "order_id: missing, expected a text");
  EXPECT_EQ(OrderError(R"("KX-1")", "1"), "ticker: expected a text");
  EXPECT_EQ(OrderError(R"("book_side":"ask")", R"("book_side":"yes")"),
            "book_side: 'yes', expected bid or ask");
  EXPECT_EQ(OrderError("resting", "unknown"),
            "status: 'unknown', expected resting, canceled or executed");
  EXPECT_EQ(
      OrderError("0.5600", "1.5600"),
      "yes_price_dollars: '1.5600', expected a price of 0 to 1 dollar with at most 4 decimals");
  EXPECT_EQ(OrderError("1.50", "-1.50"),
            "fill_count_fp: '-1.50', expected a count of at most 10000000000000 with at most 2 "
            "decimals");
  EXPECT_EQ(OrderError("0.123456", "0.1234567"),
            "taker_fill_cost_dollars: '0.1234567', expected dollars with at most 6 decimals");
  EXPECT_EQ(OrderError(R"("maker")", R"("any")"),
            "self_trade_prevention_type: 'any', expected taker_at_cross or maker");
  EXPECT_EQ(OrderError(R"("cancel_order_on_pause":true)", R"("cancel_order_on_pause":1)"),
            "cancel_order_on_pause: expected true or false");
  EXPECT_EQ(OrderError("1970-01-01T00:00:08Z", "1970-01-01"),
            "last_update_time: '1970-01-01', expected a time as 2026-06-11T05:39:31.28563Z");
  EXPECT_EQ(OrderError(R"("subaccount_number":3)", R"("subaccount_number":-1)"),
            "subaccount_number: '-1', expected a number of 0 or more");
}

TEST_F(ClientRepliesTest, AListHasObjects) {
  EXPECT_EQ(reader_.Orders(R"({"orders":[7]})").status().message(),
            "orders: expected a list of objects");
  EXPECT_EQ(reader_.Orders(R"({"orders":{}})").status().message(), "orders: expected a list");
  EXPECT_EQ(reader_.Orders(R"({"cursor":""})").status().message(),
            "orders: missing, expected a list");
  EXPECT_EQ(reader_.Markets(R"({"markets":[{"ticker":"T","status":"active","price_ranges":7}]})")
                .status()
                .message(),
            "price_ranges: expected a list");
}

TEST_F(ClientRepliesTest, NumbersAreWithinTheirBounds) {
  const auto limits = [this](absl::string_view capacity) {
    return reader_
        .Limits(absl::StrCat(R"({"read":{"bucket_capacity":)", capacity,
                             R"(,"refill_rate":1},"write":{}})"))
        .status();
  };
  EXPECT_EQ(limits("-1").message(), "bucket_capacity: '-1', expected a number of tokens");
  EXPECT_EQ(limits("4294967296").message(),
            "bucket_capacity: '4294967296', expected a number of tokens");
  EXPECT_EQ(limits("1.5").message(), "bucket_capacity: expected a whole number");
  EXPECT_EQ(reader_.Balance(R"({"balance":9223372036854775807})").status().message(),
            "balance: '9223372036854775807', expected cents");
}

// Every function, on a body.
std::vector<absl::Status> ReadAll(ReplyReader& reader, absl::string_view body) {
  reader.Error(body);
  return {reader.OrderReply(body).status(), reader.CancelReply(body).status(),
          reader.Orders(body).status(),     reader.Fills(body).status(),
          reader.Positions(body).status(),  reader.Market(body).status(),
          reader.Markets(body).status(),    reader.Limits(body).status(),
          reader.Balance(body).status()};
}

TEST_F(ClientRepliesTest, HostileBodiesAreErrors) {
  const std::string deep = std::string(100'000, '[');
  const std::string deep_in_place = absl::StrCat("{\"orders\":", deep);
  for (const absl::string_view body :
       {absl::string_view(), absl::string_view("\0", 1), absl::string_view("{"),
        absl::string_view("null"), absl::string_view("[]"), absl::string_view("{}"),
        absl::string_view("{\"orders\":[{}"), absl::string_view("{\"order_id\":\"\xFF\"}"),
        absl::string_view("{\"order_id\":\"\\ud800\"}"), absl::string_view(deep),
        absl::string_view(deep_in_place)}) {
    for (const absl::Status& status : ReadAll(reader_, body)) {
      EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << body.substr(0, 40);
      EXPECT_NE(status.message(), "");
    }
  }
}

TEST_F(ClientRepliesTest, ABodyThatIsTooLongIsRefused) {
  const std::string body(ReplyReader::kBodyBytesMax + 1, ' ');
  for (const absl::Status& status : ReadAll(reader_, body)) {
    EXPECT_EQ(status.message(), "body: 16777217 bytes, expected at most 16777216");
  }
}

RC_GTEST_PROP(ClientRepliesProperty, ATruncatedBodyIsAnError, ()) {
  const std::string body = List<Order>("orders", {RestingOrder()}, "AQ");
  const auto size = *rc::gen::inRange<size_t>(0, body.size());
  ReplyReader reader;
  RC_ASSERT(!reader.Orders(body.substr(0, size)).ok());
}

RC_GTEST_PROP(ClientRepliesProperty, AnyByteMayChange, ()) {
  std::string body = List<Order>("orders", {RestingOrder()}, "AQ");
  body[*rc::gen::inRange<size_t>(0, body.size())] = *rc::gen::arbitrary<char>();
  ReplyReader reader;
  for (const absl::Status& status : ReadAll(reader, body)) {
    RC_ASSERT(status.ok() || !status.message().empty());
  }
}

}  // namespace
}  // namespace engine::kalshi
