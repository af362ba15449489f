#include "engine/wire/kalshi/requests.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"

namespace engine::kalshi {
namespace {

constexpr absl::string_view kOrder =
    R"({"ticker":"KX-1","side":"bid","count":"10.00","price":"0.5600",)"
    R"("time_in_force":"good_till_canceled","self_trade_prevention_type":"taker_at_cross"})";

// The order above, with these members after its own: the last of a name counts.
std::string OrderWith(absl::string_view members) {
  return absl::StrCat(kOrder.substr(0, kOrder.size() - 1), ",", members, "}");
}

class RequestsTest : public testing::Test {
 protected:
  // The error that an order with these members gets.
  Error CreateError(absl::string_view members) {
    const Result<CreateOrder> order = decoder_.DecodeCreateOrder(OrderWith(members));
    EXPECT_FALSE(order.ok()) << members;
    return order.ok() ? Error() : order.error();
  }

  RequestDecoder decoder_;
};

TEST_F(RequestsTest, ReadsAnOrder) {
  const Result<CreateOrder> order = decoder_.DecodeCreateOrder(kOrder);
  ASSERT_TRUE(order.ok());
  EXPECT_EQ(order->ticker, "KX-1");
  EXPECT_EQ(order->side, Side::kBid);
  EXPECT_EQ(order->count, Count::FromHundredths(1'000));
  EXPECT_EQ(order->price, Price::FromUnits(5'600));
  EXPECT_EQ(order->time_in_force, TimeInForce::kGoodTillCancelled);
  EXPECT_EQ(order->self_trade_prevention, SelfTradePrevention::kCancelTaker);
  EXPECT_EQ(order->client_order_id, "");
  EXPECT_EQ(order->order_group_id, "");
  EXPECT_EQ(order->expiration_s, std::nullopt);
  EXPECT_FALSE(order->post_only || order->reduce_only || order->cancel_order_on_pause);
  EXPECT_EQ(order->exchange_index, -1);
}

TEST_F(RequestsTest, ReadsEveryMemberOfAnOrder) {
  const Result<CreateOrder> order = decoder_.DecodeCreateOrder(OrderWith(
      R"("side":"ask","count":"5","price":"0.5","self_trade_prevention_type":"maker",)"
      R"("client_order_id":"mine","order_group_id":"g","expiration_time":1781159370,)"
      R"("post_only":true,"cancel_order_on_pause":true,"subaccount":0,"exchange_index":0)"));
  ASSERT_TRUE(order.ok()) << order.error().details;
  EXPECT_EQ(order->side, Side::kAsk);
  EXPECT_EQ(order->count, Count::FromHundredths(500));
  EXPECT_EQ(order->price, Price::FromUnits(5'000));
  EXPECT_EQ(order->self_trade_prevention, SelfTradePrevention::kCancelMaker);
  EXPECT_EQ(order->client_order_id, "mine");
  EXPECT_EQ(order->order_group_id, "g");
  EXPECT_EQ(order->expiration_s, 1'781'159'370);
  EXPECT_TRUE(order->post_only);
  EXPECT_TRUE(order->cancel_order_on_pause);
  EXPECT_EQ(order->exchange_index, 0);
  const Result<CreateOrder> reduce = decoder_.DecodeCreateOrder(
      OrderWith(R"("time_in_force":"immediate_or_cancel","reduce_only":true)"));
  ASSERT_TRUE(reduce.ok());
  EXPECT_EQ(reduce->time_in_force, TimeInForce::kImmediateOrCancel);
  EXPECT_TRUE(reduce->reduce_only);
}

TEST_F(RequestsTest, IgnoresUnknownMembersAndNulls) {
  const Result<CreateOrder> order = decoder_.DecodeCreateOrder(
      OrderWith(R"("unknown":{"a":[1,2]},"Ticker":7,"price":null,"client_order_id":null)"));
  ASSERT_TRUE(order.ok()) << order.error().details;
  EXPECT_EQ(order->price, Price::FromUnits(5'600));
}

TEST_F(RequestsTest, TheLastOfTwoMembersCounts) {
  const auto order = decoder_.DecodeCreateOrder(OrderWith(R"("ticker":"B","ticker":"C")"));
  ASSERT_TRUE(order.ok());
  EXPECT_EQ(order->ticker, "C");
}

// The text is recorded for a number in place of count.
TEST_F(RequestsTest, WrongTypesAreFlatErrorsInGosWords) {
  const Error error = CreateError(R"("count":10)");
  EXPECT_EQ(error.kind, errors::kBadRequest);
  EXPECT_EQ(error.details,
            "json: cannot unmarshal number into Go struct field CreateOrderV2Request.count of type "
            "string");
  const std::string field = " into Go struct field CreateOrderV2Request.";
  EXPECT_EQ(CreateError(R"("post_only":"yes","count":1)").details,
            absl::StrCat("json: cannot unmarshal string", field, "post_only of type bool"));
  EXPECT_EQ(
      CreateError(R"("expiration_time":1.5)").details,
      absl::StrCat("json: cannot unmarshal number 1.5", field, "expiration_time of type int64"));
  EXPECT_EQ(CreateError(R"("expiration_time":18446744073709551615)").details,
            absl::StrCat("json: cannot unmarshal number 18446744073709551615", field,
                         "expiration_time of type int64"));
  EXPECT_EQ(CreateError(R"("ticker":{"a":1})").details,
            absl::StrCat("json: cannot unmarshal object", field, "ticker of type string"));
  EXPECT_EQ(CreateError(R"("subaccount":[1])").details,
            absl::StrCat("json: cannot unmarshal array", field, "subaccount of type int"));
  EXPECT_EQ(CreateError(R"("subaccount":true)").details,
            absl::StrCat("json: cannot unmarshal bool", field, "subaccount of type int"));
}

TEST_F(RequestsTest, WhatIsNoJsonIsAFlatError) {
  for (const char* body :
       {"{", "{\"ticker\":}", "{} {}", "\"", "nope", "{\"a\":1,}", "\xFF", "[1"}) {
    const auto order = decoder_.DecodeCreateOrder(body);
    ASSERT_FALSE(order.ok()) << body;
    EXPECT_EQ(order.error().kind, errors::kBadRequest) << body;
  }
  EXPECT_EQ(decoder_.DecodeCreateOrder("").error().details, "EOF");
  EXPECT_EQ(decoder_.DecodeCreateOrder(absl::string_view()).error().details, "EOF");
  EXPECT_EQ(decoder_.DecodeCreateOrder("[]").error().details,
            "json: cannot unmarshal array into Go value of type CreateOrderV2Request");
  EXPECT_EQ(decoder_.DecodeCreateOrder("null").error().kind, errors::kMissingParameters);
}

TEST_F(RequestsTest, DepthAndSizeAreBounded) {
  const std::string deep = std::string(RequestDecoder::kDepthMax + 1, '[');
  const std::string closed = std::string(RequestDecoder::kDepthMax + 1, ']');
  EXPECT_EQ(CreateError(absl::StrCat(R"("x":)", deep, closed)).details, "exceeded max depth");
  const std::string shallow = absl::StrCat(R"("x":)", deep.substr(3), closed.substr(3));
  EXPECT_TRUE(decoder_.DecodeCreateOrder(OrderWith(shallow)).ok());
  const std::string large(RequestDecoder::kBodyBytesMax, 'x');
  EXPECT_EQ(CreateError(absl::StrCat(R"("x":")", large, R"(")")).details,
            "http: request body too large");
  EXPECT_TRUE(decoder_.DecodeCreateOrder(kOrder).ok());
}

TEST_F(RequestsTest, MissingMembersHaveTheirCodes) {
  EXPECT_EQ(CreateError(R"("ticker":"")").kind, errors::kMissingParameters);
  EXPECT_EQ(CreateError(R"("side":"")").kind, errors::kInvalidOrder);
  EXPECT_EQ(CreateError(R"("count":"")").kind, errors::kInvalidOrder);
  EXPECT_EQ(CreateError(R"("price":"")").kind, errors::kInvalidOrder);
  EXPECT_EQ(CreateError(R"("time_in_force":"")").kind, errors::kMissingParameters);
  EXPECT_EQ(CreateError(R"("self_trade_prevention_type":"")").kind, errors::kMissingParameters);
  EXPECT_EQ(decoder_.DecodeCreateOrder("{}").error().kind, errors::kMissingParameters);
}

TEST_F(RequestsTest, InvalidValuesHaveTheirCodes) {
  EXPECT_EQ(CreateError(R"("side":"yes")").kind, errors::kInvalidOrder);
  EXPECT_EQ(CreateError(R"("time_in_force":"day")").kind, errors::kInvalidOrder);
  EXPECT_EQ(CreateError(R"("self_trade_prevention_type":"none")").kind, errors::kInvalidOrder);
  for (const char* count : {"0", "0.00", "-1", "1.001", "x", "100000000.01"}) {
    EXPECT_EQ(CreateError(absl::StrCat(R"("count":")", count, R"(")")).kind,
              errors::kInvalidOrderSize)
        << count;
  }
  for (const char* price : {"-0.5", "1.0001", "0.56000", "56", "x", "1e-2"}) {
    EXPECT_EQ(CreateError(absl::StrCat(R"("price":")", price, R"(")")).kind, errors::kInvalidPrice)
        << price;
  }
  EXPECT_EQ(CreateError(R"("subaccount":1)").kind, errors::kInvalidParameters);
  EXPECT_EQ(CreateError(R"("subaccount":-1)").kind, errors::kInvalidParameters);
  EXPECT_EQ(CreateError(R"("exchange_index":1)").kind, errors::kInvalidParameters);
  const std::string id(129, 'i');
  EXPECT_EQ(CreateError(absl::StrCat(R"("client_order_id":")", id, R"(")")).details,
            "client_order_id is too long");
}

TEST_F(RequestsTest, TermsThatExcludeEachOtherAreRefused) {
  EXPECT_EQ(CreateError(R"("time_in_force":"immediate_or_cancel","expiration_time":99)").kind,
            errors::kExpirationWithImmediate);
  EXPECT_EQ(CreateError(R"("time_in_force":"fill_or_kill","expiration_time":99)").kind,
            errors::kInvalidOrder);
  EXPECT_EQ(CreateError(R"("time_in_force":"fill_or_kill","post_only":true)").kind,
            errors::kInvalidOrder);
  EXPECT_EQ(CreateError(R"("reduce_only":true)").kind, errors::kInvalidOrder);
  EXPECT_EQ(CreateError(R"("expiration_time":0)").kind, errors::kExpirationInPast);
  EXPECT_EQ(CreateError(R"("expiration_time":-5)").kind, errors::kExpirationInPast);
  EXPECT_EQ(CreateError(R"("expiration_time":1781159370164)").kind, errors::kInvalidOrder);
}

TEST_F(RequestsTest, ABatchRefusesWrongValuesOneByOne) {
  const auto batch = decoder_.DecodeBatchCreate(absl::StrCat(
      R"({"orders":[)", OrderWith(R"("client_order_id":"a")"), ",",
      OrderWith(R"("client_order_id":"b","price":"2")"), R"(,{"client_order_id":"c"}]})"));
  ASSERT_TRUE(batch.ok()) << batch.error().details;
  ASSERT_EQ(batch->size(), 3U);
  EXPECT_TRUE((*batch)[0].order.ok());
  EXPECT_EQ((*batch)[1].client_order_id, "b");
  EXPECT_EQ((*batch)[1].order.error().kind, errors::kInvalidPrice);
  EXPECT_EQ((*batch)[2].client_order_id, "c");
  EXPECT_EQ((*batch)[2].order.error().kind, errors::kMissingParameters);
}

TEST_F(RequestsTest, ABatchWithAWrongTypeIsRefusedWhole) {
  const auto batch = decoder_.DecodeBatchCreate(
      absl::StrCat(R"({"orders":[)", kOrder, ",", OrderWith(R"("count":1)"), "]}"));
  ASSERT_FALSE(batch.ok());
  EXPECT_EQ(batch.error().details,
            "json: cannot unmarshal number into Go struct field CreateOrderV2Request.orders.count "
            "of type string");
  EXPECT_EQ(decoder_.DecodeBatchCreate(R"({"orders":[7]})").error().kind, errors::kBadRequest);
  EXPECT_EQ(decoder_.DecodeBatchCreate(R"({"orders":7})").error().details,
            "json: cannot unmarshal number into Go struct field BatchCreateOrdersV2Request.orders "
            "of type []CreateOrderV2Request");
}

TEST_F(RequestsTest, ABatchHasOrdersButNotTooMany) {
  for (const char* body : {"{}", R"({"orders":[]})", R"({"orders":null})"}) {
    EXPECT_EQ(decoder_.DecodeBatchCreate(body).error().kind, errors::kMissingParameters) << body;
    EXPECT_EQ(decoder_.DecodeBatchCancel(body).error().kind, errors::kMissingParameters) << body;
  }
  std::string entries = "{}";
  for (size_t i = 0; i < RequestDecoder::kBatchMax; ++i) absl::StrAppend(&entries, ",{}");
  EXPECT_EQ(decoder_.DecodeBatchCreate(absl::StrCat(R"({"orders":[)", entries, "]}")).error().kind,
            errors::kInvalidParameters);
}

TEST_F(RequestsTest, ReadsAnAmend) {
  const auto amend = decoder_.DecodeAmendOrder(
      R"({"ticker":"KX","side":"ask","price":"0.01","count":"3","client_order_id":"a",)"
      R"("updated_client_order_id":"b","expiration_time":0,"exchange_index":-1})");
  ASSERT_TRUE(amend.ok()) << amend.error().details;
  EXPECT_EQ(amend->ticker, "KX");
  EXPECT_EQ(amend->side, Side::kAsk);
  EXPECT_EQ(amend->price, Price::FromUnits(100));
  EXPECT_EQ(amend->count, Count::FromHundredths(300));
  EXPECT_EQ(amend->client_order_id, "a");
  EXPECT_EQ(amend->updated_client_order_id, "b");
  EXPECT_EQ(amend->expiration_s, 0);
  EXPECT_EQ(decoder_.DecodeAmendOrder("{}").error().kind, errors::kMissingParameters);
  EXPECT_EQ(decoder_.DecodeAmendOrder(R"({"side":1})").error().details,
            "json: cannot unmarshal number into Go struct field AmendOrderV2Request.side of type "
            "string");
}

TEST_F(RequestsTest, ADecreaseIsByOrTo) {
  const auto by = decoder_.DecodeDecreaseOrder(R"({"reduce_by":"1.5","market_ticker":"KX"})");
  ASSERT_TRUE(by.ok());
  EXPECT_FALSE(by->is_to);
  EXPECT_EQ(by->count, Count::FromHundredths(150));
  EXPECT_EQ(by->market_ticker, "KX");
  const auto to = decoder_.DecodeDecreaseOrder(R"({"reduce_to":"0"})");
  ASSERT_TRUE(to.ok());
  EXPECT_TRUE(to->is_to);
  EXPECT_EQ(to->count, Count());
  EXPECT_EQ(decoder_.DecodeDecreaseOrder("{}").error().kind, errors::kInvalidOrder);
  EXPECT_EQ(decoder_.DecodeDecreaseOrder(R"({"reduce_by":"1","reduce_to":"1"})").error().kind,
            errors::kInvalidOrder);
  EXPECT_EQ(decoder_.DecodeDecreaseOrder(R"({"reduce_by":"0"})").error().kind,
            errors::kInvalidOrderSize);
}

TEST_F(RequestsTest, ReadsABatchCancel) {
  const auto batch = decoder_.DecodeBatchCancel(
      R"({"orders":[{"order_id":"a"},{"order_id":"b","subaccount":0,"market_ticker":"KX"}]})");
  ASSERT_TRUE(batch.ok());
  ASSERT_EQ(batch->size(), 2U);
  EXPECT_EQ((*batch)[0].order_id, "a");
  EXPECT_EQ((*batch)[1].market_ticker, "KX");
  EXPECT_EQ(decoder_.DecodeBatchCancel(R"({"orders":[{}]})").error().kind,
            errors::kMissingParameters);
  EXPECT_EQ(decoder_.DecodeBatchCancel(R"({"orders":[{"order_id":1}]})").error().details,
            "json: cannot unmarshal number into Go struct field "
            "BatchCancelOrdersV2RequestOrder.orders.order_id of type string");
}

TEST_F(RequestsTest, AGroupsLimitIsANumberOrAString) {
  const auto number = decoder_.DecodeCreateGroup(R"({"contracts_limit":5,"subaccount":0})");
  ASSERT_TRUE(number.ok());
  EXPECT_EQ(number->contracts_limit, Count::FromHundredths(500));
  const auto text = decoder_.DecodeGroupLimit(R"({"contracts_limit_fp":"2.50"})");
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(text->contracts_limit, Count::FromHundredths(250));
  EXPECT_EQ(decoder_.DecodeGroupLimit("{}").error().kind, errors::kMissingParameters);
  for (const char* body : {R"({"contracts_limit":0})", R"({"contracts_limit":9223372036854775807})",
                           R"({"contracts_limit_fp":"0"})", R"({"contracts_limit_fp":""})"}) {
    EXPECT_EQ(decoder_.DecodeGroupLimit(body).error().kind, errors::kInvalidParameters) << body;
  }
}

// Texts refer to the decoder's memory: escapes are resolved there.
TEST_F(RequestsTest, EscapesInTextsAreResolved) {
  const auto order = decoder_.DecodeCreateOrder(OrderWith(R"("client_order_id":"\u00e9\n")"));
  ASSERT_TRUE(order.ok());
  EXPECT_EQ(order->client_order_id, "\xC3\xA9\n");
}

RC_GTEST_PROP(RequestsProperty, ACutOrderIsNoOrder, ()) {
  RequestDecoder decoder;
  const auto size = *rc::gen::inRange<size_t>(0, kOrder.size());
  const auto order = decoder.DecodeCreateOrder(kOrder.substr(0, size));
  RC_ASSERT(!order.ok());
  RC_ASSERT(order.error().kind == errors::kBadRequest);
}

}  // namespace
}  // namespace engine::kalshi
