#include "engine/wire/kalshi/order_replies.h"

namespace engine::kalshi {
namespace {

// The amount per contract, in 10^-4 dollar, rounded half up. REQUIRES: the count is positive.
Price Average(Money total, Count count) {
  const __int128 numerator =
      static_cast<__int128>(total.micros());  // x 100 hundredths / 100 micros
  const int64_t by = count.hundredths();
  const __int128 doubled = 2 * numerator + (numerator < 0 ? -by : by);
  return Price::FromUnits(static_cast<int64_t>(doubled / (2 * static_cast<__int128>(by))));
}

void WriteAverages(const FillTotals& fills, JsonWriter& json) {
  if (fills.count <= Count()) return;
  json.Price("average_fill_price", Average(fills.value, fills.count))
      .Price("average_fee_paid", Average(fills.fees, fills.count));
}

void WriteGroup(const OrderGroup& group, JsonWriter& json) {
  json.Count("contracts_limit_fp", group.contracts_limit)
      .Boolean("is_auto_cancel_enabled", group.is_auto_cancel_enabled)
      .Integer("exchange_index", 0);
}

}  // namespace

void Write(const CreateReply& reply, JsonWriter& json) {
  json.BeginObject()
      .Text("order_id", reply.order_id)
      .Text("client_order_id", reply.client_order_id)
      .Count("fill_count", reply.fills.count)
      .Count("remaining_count", reply.remaining_count);
  WriteAverages(reply.fills, json);
  json.Integer("ts_ms", ToMillis(reply.time)).EndObject();
}

void Write(const CancelReply& reply, JsonWriter& json) {
  json.BeginObject()
      .Text("order_id", reply.order_id)
      .TextIfAny("client_order_id", reply.client_order_id)
      .Count("reduced_by", reply.reduced_by)
      .Integer("ts_ms", ToMillis(reply.time))
      .EndObject();
}

void Write(const DecreaseReply& reply, JsonWriter& json) {
  json.BeginObject()
      .Text("order_id", reply.order_id)
      .TextIfAny("client_order_id", reply.client_order_id)
      .Count("remaining_count", reply.remaining_count)
      .Integer("ts_ms", ToMillis(reply.time))
      .EndObject();
}

void Write(const CreateRefusal& refusal, JsonWriter& json) {
  json.BeginObject().Text("client_order_id", refusal.client_order_id);
  WriteBatchError("error", refusal.error, json);
  json.EndObject();
}

void Write(const CancelRefusal& refusal, JsonWriter& json) {
  json.BeginObject().Text("order_id", refusal.order_id).Count("reduced_by", Count());
  WriteBatchError("error", refusal.error, json);
  json.EndObject();
}

void Write(const GroupCreated& group, JsonWriter& json) {
  json.BeginObject()
      .Text("order_group_id", group.order_group_id)
      .Integer("subaccount", group.subaccount)
      .Integer("exchange_index", 0)
      .EndObject();
}

void Write(const OrderGroup& group, JsonWriter& json) {
  json.BeginObject().Text("id", group.id);
  WriteGroup(group, json);
  json.EndObject();
}

void Write(const OrderGroupDetails& details, JsonWriter& json) {
  json.BeginObject();
  WriteGroup(details.group, json);
  json.BeginArray("orders");
  for (const absl::string_view id : details.order_ids) json.Text(id);
  json.EndArray().EndObject();
}

}  // namespace engine::kalshi
