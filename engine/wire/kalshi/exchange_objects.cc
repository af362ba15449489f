#include "engine/wire/kalshi/exchange_objects.h"

#include "engine/wire/kalshi/numbers.h"

namespace engine::kalshi {
namespace {

constexpr std::array<absl::string_view, 7> kDays = {"monday", "tuesday",  "wednesday", "thursday",
                                                    "friday", "saturday", "sunday"};

void WriteWeek(const WeeklyHours& week, JsonWriter& json) {
  json.BeginObject().Time("start_time", week.start).Time("end_time", week.end);
  for (size_t day = 0; day < kDays.size(); ++day) {
    json.BeginArray(kDays[day]);
    for (const DailyHours& hours : week.days[day]) {
      json.BeginObject()
          .Text("open_time", hours.open_time)
          .Text("close_time", hours.close_time)
          .EndObject();
    }
    json.EndArray();
  }
  json.EndObject();
}

void WriteBucket(absl::string_view key, const BucketLimit& bucket, JsonWriter& json) {
  json.BeginObject(key)
      .Integer("bucket_capacity", bucket.bucket_capacity)
      .Integer("refill_rate", bucket.refill_rate)
      .EndObject();
}

}  // namespace

void Write(const ExchangeStatus& status, JsonWriter& json) {
  json.BeginObject()
      .Boolean("exchange_active", status.exchange_active)
      .Boolean("trading_active", status.trading_active)
      .TimeIfAny("exchange_estimated_resume_time", status.estimated_resume_time)
      .EndObject();
}

void Write(const Schedule& schedule, JsonWriter& json) {
  json.BeginObject().BeginObject("schedule").BeginArray("standard_hours");
  for (const WeeklyHours& week : schedule.standard_hours) WriteWeek(week, json);
  json.EndArray().BeginArray("maintenance_windows");
  for (const MaintenanceWindow& window : schedule.maintenance_windows) {
    json.BeginObject()
        .Time("start_datetime", window.start)
        .Time("end_datetime", window.end)
        .EndObject();
  }
  json.EndArray().EndObject().EndObject();
}

void Write(const AccountLimits& limits, JsonWriter& json) {
  json.BeginObject().Text("usage_tier", limits.usage_tier);
  WriteBucket("read", limits.read, json);
  WriteBucket("write", limits.write, json);
  json.BeginArray("grants").EndArray().EndObject();
}

void Write(const EndpointCosts& costs, JsonWriter& json) {
  json.BeginObject().Integer("default_cost", costs.default_cost).BeginArray("endpoint_costs");
  for (const EndpointCost& cost : costs.costs) {
    json.BeginObject()
        .Text("method", cost.method)
        .Text("path", cost.path)
        .Integer("cost", cost.cost)
        .EndObject();
  }
  json.EndArray().EndObject();
}

void WriteUserDataTimestamp(Timestamp time, JsonWriter& json) {
  json.BeginObject().Time("as_of_time", time).EndObject();
}

}  // namespace engine::kalshi
