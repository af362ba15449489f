// The state of the exchange, and the terms of its use: values, and their JSON. See
// market_objects.h. Also the two forms of a list.

#ifndef ENGINE_WIRE_KALSHI_EXCHANGE_OBJECTS_H_
#define ENGINE_WIRE_KALSHI_EXCHANGE_OBJECTS_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/wire/kalshi/json_writer.h"

namespace engine::kalshi {

struct ExchangeStatus {
  bool exchange_active = true;
  bool trading_active = true;
  std::optional<Timestamp> estimated_resume_time = {};
};
void Write(const ExchangeStatus& status, JsonWriter& json);

// A time of day, "08:00", in Eastern time.
struct DailyHours {
  absl::string_view open_time = {};
  absl::string_view close_time = {};
};

// The regular hours while [start, end) lasts.
struct WeeklyHours {
  Timestamp start = {};
  Timestamp end = {};
  std::array<std::span<const DailyHours>, 7> days = {};  // From Monday.
};

struct MaintenanceWindow {
  Timestamp start = {};
  Timestamp end = {};
};

struct Schedule {
  std::span<const WeeklyHours> standard_hours = {};
  std::span<const MaintenanceWindow> maintenance_windows = {};
};
// {"schedule":{...}}
void Write(const Schedule& schedule, JsonWriter& json);

// A token bucket.
struct BucketLimit {
  int64_t bucket_capacity = 0;
  int64_t refill_rate = 0;  // Per second.
};

struct AccountLimits {
  absl::string_view usage_tier = {};
  BucketLimit read = {};
  BucketLimit write = {};
};
void Write(const AccountLimits& limits, JsonWriter& json);

struct EndpointCost {
  absl::string_view method = {};
  absl::string_view path = {};
  int64_t cost = 0;
};

struct EndpointCosts {
  int64_t default_cost = 0;
  std::span<const EndpointCost> costs = {};
};
void Write(const EndpointCosts& costs, JsonWriter& json);

// {"as_of_time":...}
void WriteUserDataTimestamp(Timestamp time, JsonWriter& json);

// A body with one or more lists, written element by element.
//
//   ListWriter list(out, "market_positions");
//   for (...) list.Add(position);
//   list.Next("event_positions");
//   list.FinishWithCursor(cursor);
//
// Not thread-safe.
class ListWriter {
 public:
  ListWriter(std::string& out, absl::string_view key) : json_(out) {
    json_.BeginObject().BeginArray(key);
  }

  template <typename T>
  void Add(const T& value) {
    Write(value, json_);
  }
  // For elements that Add() does not know.
  JsonWriter& json() { return json_; }

  // Ends the list and begins another.
  void Next(absl::string_view key) { json_.EndArray().BeginArray(key); }
  // Ends the body. An empty cursor: this is the last page.
  void FinishWithCursor(absl::string_view cursor) {
    json_.EndArray().Text("cursor", cursor).EndObject();
  }
  void Finish() { json_.EndArray().EndObject(); }

 private:
  JsonWriter json_;
};

// Appends a body that is one object, bare or under a key: {"order":{...}}.
template <typename T>
void AppendObject(const T& value, std::string& out) {
  JsonWriter json(out);
  Write(value, json);
}
template <typename T>
void AppendObject(absl::string_view key, const T& value, std::string& out) {
  JsonWriter json(out);
  json.BeginObject().Key(key);
  Write(value, json);
  json.EndObject();
}

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_EXCHANGE_OBJECTS_H_
