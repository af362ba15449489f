#include "engine/wire/kalshi/exchange_objects.h"

#include <array>
#include <cstdint>
#include <string>

#include "engine/wire/kalshi/portfolio_objects.h"
#include "gtest/gtest.h"

namespace engine::kalshi {
namespace {

template <typename T>
std::string Json(const T& value) {
  std::string out;
  AppendObject(value, out);
  return out;
}

Timestamp At(int64_t seconds) { return Timestamp::FromNanos(seconds * 1'000'000'000); }

// The recorded answer.
TEST(ExchangeObjectsTest, WritesTheStatus) {
  EXPECT_EQ(Json(ExchangeStatus{}), R"({"exchange_active":true,"trading_active":true})");
  EXPECT_EQ(Json(ExchangeStatus{.trading_active = false, .estimated_resume_time = At(1)}),
            R"({"exchange_active":true,"trading_active":false,)"
            R"("exchange_estimated_resume_time":"1970-01-01T00:00:01Z"})");
}

TEST(ExchangeObjectsTest, WritesTheSchedule) {
  EXPECT_EQ(Json(Schedule{}), R"({"schedule":{"standard_hours":[],"maintenance_windows":[]}})");
  const std::array<DailyHours, 1> hours = {{{"08:00", "03:00"}}};
  WeeklyHours week = {.start = At(0), .end = At(1)};
  week.days[1] = hours;
  const std::array<MaintenanceWindow, 1> windows = {{{At(2), At(3)}}};
  EXPECT_EQ(Json(Schedule{.standard_hours = {&week, 1}, .maintenance_windows = windows}),
            R"({"schedule":{"standard_hours":[{"start_time":"1970-01-01T00:00:00Z",)"
            R"("end_time":"1970-01-01T00:00:01Z","monday":[],)"
            R"("tuesday":[{"open_time":"08:00","close_time":"03:00"}],"wednesday":[],)"
            R"("thursday":[],"friday":[],"saturday":[],"sunday":[]}],)"
            R"("maintenance_windows":[{"start_datetime":"1970-01-01T00:00:02Z",)"
            R"("end_datetime":"1970-01-01T00:00:03Z"}]}})");
}

// The recorded answer.
TEST(ExchangeObjectsTest, WritesLimits) {
  EXPECT_EQ(Json(AccountLimits{.usage_tier = "basic",
                               .read = {.bucket_capacity = 200, .refill_rate = 200},
                               .write = {.bucket_capacity = 100, .refill_rate = 100}}),
            R"({"usage_tier":"basic","read":{"bucket_capacity":200,"refill_rate":200},)"
            R"("write":{"bucket_capacity":100,"refill_rate":100},"grants":[]})");
}

TEST(ExchangeObjectsTest, WritesCosts) {
  const std::array<EndpointCost, 1> costs = {{{"DELETE", "/portfolio/events/orders/{id}", 2}}};
  EXPECT_EQ(Json(EndpointCosts{.default_cost = 10, .costs = costs}),
            R"({"default_cost":10,"endpoint_costs":[{"method":"DELETE",)"
            R"("path":"/portfolio/events/orders/{id}","cost":2}]})");
}

TEST(ExchangeObjectsTest, WritesTheTimeOfUserData) {
  std::string out;
  JsonWriter json(out);
  WriteUserDataTimestamp(At(1), json);
  EXPECT_EQ(out, R"({"as_of_time":"1970-01-01T00:00:01Z"})");
}

TEST(ListWriterTest, WritesListsAndACursor) {
  std::string out;
  ListWriter list(out, "queue_positions");
  list.Add(QueuePosition{.order_id = "a"});
  list.Add(QueuePosition{.order_id = "b"});
  list.Next("others");
  list.json().Text("x");
  list.FinishWithCursor("");
  EXPECT_EQ(out, R"({"queue_positions":[)"
                 R"({"order_id":"a","market_ticker":"","queue_position_fp":"0.00"},)"
                 R"({"order_id":"b","market_ticker":"","queue_position_fp":"0.00"}],)"
                 R"("others":["x"],"cursor":""})");
}

TEST(ListWriterTest, WritesAListWithoutACursor) {
  std::string out;
  ListWriter(out, "series").Finish();
  EXPECT_EQ(out, R"({"series":[]})");
}

TEST(AppendObjectTest, WritesOneObjectUnderAKey) {
  std::string out;
  AppendObject("status", ExchangeStatus{}, out);
  EXPECT_EQ(out, R"({"status":{"exchange_active":true,"trading_active":true}})");
}

}  // namespace
}  // namespace engine::kalshi
