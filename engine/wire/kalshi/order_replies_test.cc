#include "engine/wire/kalshi/order_replies.h"

#include <array>
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

Timestamp AtMillis(int64_t millis) { return Timestamp::FromNanos(millis * 1'000'000); }

// The recorded reply.
TEST(OrderRepliesTest, WritesAFilledOrder) {
  EXPECT_EQ(Json(CreateReply{.order_id = "o",
                             .client_order_id = "c",
                             .fills = {.count = Count::FromHundredths(100),
                                       .value = Money::FromMicros(520'000),
                                       .fees = Money::FromMicros(17'500)},
                             .time = AtMillis(1'781'159'370'164)}),
            R"({"order_id":"o","client_order_id":"c","fill_count":"1.00",)"
            R"("remaining_count":"0.00","average_fill_price":"0.5200",)"
            R"("average_fee_paid":"0.0175","ts_ms":1781159370164})");
}

TEST(OrderRepliesTest, WithoutAFillThereIsNoAverage) {
  EXPECT_EQ(Json(CreateReply{.order_id = "o", .remaining_count = Count::FromHundredths(500)}),
            R"({"order_id":"o","client_order_id":"","fill_count":"0.00",)"
            R"("remaining_count":"5.00","ts_ms":0})");
}

TEST(OrderRepliesTest, AveragesAreRoundedHalfUp) {
  const auto average = [](int64_t micros, int64_t hundredths) {
    const std::string json = Json(CreateReply{
        .fills = {.count = Count::FromHundredths(hundredths), .value = Money::FromMicros(micros)}});
    return json.substr(json.find("fill_price") + 13, 6);
  };
  EXPECT_EQ(average(520'000, 100), "0.5200");
  EXPECT_EQ(average(10'000, 300), "0.0033");  // 33.3 units
  EXPECT_EQ(average(20'000, 300), "0.0067");  // 66.7 units
  EXPECT_EQ(average(150, 100), "0.0002");     // 1.5 units
  EXPECT_EQ(average(149, 100), "0.0001");
  EXPECT_EQ(average(99'999'999'999'999'999, 9'999'999'999), "1000.0");
}

TEST(OrderRepliesTest, WritesCancelsAndDecreases) {
  EXPECT_EQ(Json(CancelReply{.order_id = "o",
                             .client_order_id = "c",
                             .reduced_by = Count::FromHundredths(100),
                             .time = AtMillis(5)}),
            R"({"order_id":"o","client_order_id":"c","reduced_by":"1.00","ts_ms":5})");
  EXPECT_EQ(Json(CancelReply{.order_id = "o"}),
            R"({"order_id":"o","reduced_by":"0.00","ts_ms":0})");
  EXPECT_EQ(Json(DecreaseReply{.order_id = "o",
                               .client_order_id = "c",
                               .remaining_count = Count::FromHundredths(250),
                               .time = AtMillis(5)}),
            R"({"order_id":"o","client_order_id":"c","remaining_count":"2.50","ts_ms":5})");
}

TEST(OrderRepliesTest, WritesRefusalsOfABatch) {
  const Error error = {errors::kInvalidPrice, ""};
  EXPECT_EQ(Json(CreateRefusal{.client_order_id = "c", .error = error}),
            R"({"client_order_id":"c",)"
            R"("error":{"code":"invalid_price","message":"invalid price","details":""}})");
  const Error not_found = {errors::kNotFound, "gone"};
  EXPECT_EQ(Json(CancelRefusal{.order_id = "o", .error = not_found}),
            R"({"order_id":"o","reduced_by":"0.00",)"
            R"("error":{"code":"not_found","message":"not found","details":"gone"}})");
}

TEST(OrderRepliesTest, WritesGroups) {
  EXPECT_EQ(Json(GroupCreated{.order_group_id = "g", .subaccount = 2}),
            R"({"order_group_id":"g","subaccount":2,"exchange_index":0})");
  const OrderGroup group = {.id = "g", .contracts_limit = Count::FromHundredths(1'000)};
  EXPECT_EQ(Json(group), R"({"id":"g","contracts_limit_fp":"10.00","is_auto_cancel_enabled":true,)"
                         R"("exchange_index":0})");
  const std::array<absl::string_view, 2> ids = {"a", "b"};
  EXPECT_EQ(Json(OrderGroupDetails{.group = group, .order_ids = ids}),
            R"({"contracts_limit_fp":"10.00","is_auto_cancel_enabled":true,"exchange_index":0,)"
            R"("orders":["a","b"]})");
}

}  // namespace
}  // namespace engine::kalshi
