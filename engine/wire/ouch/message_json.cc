#include "engine/wire/ouch/message_json.h"

#include <variant>

#include "absl/strings/str_cat.h"
#include "engine/wire/field_json.h"

namespace engine::ouch {
namespace {

void PutFields(const EnterOrder& m, FieldJson& to) {
  to.Put("token", m.token);
  to.Put("side", m.side);
  to.Put("shares", m.shares);
  to.Put("stock", m.stock);
  to.Put("price", m.price);
  to.Put("time_in_force", m.time_in_force);
  to.Put("firm", m.firm);
  to.Put("display", m.display);
  to.Put("capacity", m.capacity);
  to.Put("intermarket_sweep", m.intermarket_sweep);
  to.Put("minimum_quantity", m.minimum_quantity);
  to.Put("cross_type", m.cross_type);
  to.Put("customer_type", m.customer_type);
}

void PutFields(const ReplaceOrder& m, FieldJson& to) {
  to.Put("existing_token", m.existing_token);
  to.Put("replacement_token", m.replacement_token);
  to.Put("shares", m.shares);
  to.Put("price", m.price);
  to.Put("time_in_force", m.time_in_force);
  to.Put("display", m.display);
  to.Put("intermarket_sweep", m.intermarket_sweep);
  to.Put("minimum_quantity", m.minimum_quantity);
}

void PutFields(const CancelOrder& m, FieldJson& to) {
  to.Put("token", m.token);
  to.Put("shares", m.shares);
}

void PutFields(const ModifyOrder& m, FieldJson& to) {
  to.Put("token", m.token);
  to.Put("side", m.side);
  to.Put("shares", m.shares);
}

void PutFields(const SystemEvent& m, FieldJson& to) {
  to.Put("timestamp_ns", m.timestamp_ns);
  to.Put("event", m.event);
}

void PutFields(const Accepted& m, FieldJson& to) {
  to.Put("timestamp_ns", m.timestamp_ns);
  to.Put("token", m.token);
  to.Put("side", m.side);
  to.Put("shares", m.shares);
  to.Put("stock", m.stock);
  to.Put("price", m.price);
  to.Put("time_in_force", m.time_in_force);
  to.Put("firm", m.firm);
  to.Put("display", m.display);
  to.Put("order_reference", m.order_reference);
  to.Put("capacity", m.capacity);
  to.Put("intermarket_sweep", m.intermarket_sweep);
  to.Put("minimum_quantity", m.minimum_quantity);
  to.Put("cross_type", m.cross_type);
  to.Put("order_state", m.order_state);
  to.Put("bbo_weight", m.bbo_weight);
}

void PutFields(const Replaced& m, FieldJson& to) {
  to.Put("timestamp_ns", m.timestamp_ns);
  to.Put("replacement_token", m.replacement_token);
  to.Put("side", m.side);
  to.Put("shares", m.shares);
  to.Put("stock", m.stock);
  to.Put("price", m.price);
  to.Put("time_in_force", m.time_in_force);
  to.Put("firm", m.firm);
  to.Put("display", m.display);
  to.Put("order_reference", m.order_reference);
  to.Put("capacity", m.capacity);
  to.Put("intermarket_sweep", m.intermarket_sweep);
  to.Put("minimum_quantity", m.minimum_quantity);
  to.Put("cross_type", m.cross_type);
  to.Put("order_state", m.order_state);
  to.Put("previous_token", m.previous_token);
  to.Put("bbo_weight", m.bbo_weight);
}

void PutFields(const Cancelled& m, FieldJson& to) {
  to.Put("timestamp_ns", m.timestamp_ns);
  to.Put("token", m.token);
  to.Put("decrement", m.decrement);
  to.Put("reason", m.reason);
}

void PutFields(const SelfTradeCancelled& m, FieldJson& to) {
  to.Put("timestamp_ns", m.timestamp_ns);
  to.Put("token", m.token);
  to.Put("decrement", m.decrement);
  to.Put("reason", m.reason);
  to.Put("quantity_prevented", m.quantity_prevented);
  to.Put("price", m.price);
  to.Put("liquidity", m.liquidity);
}

void PutFields(const Executed& m, FieldJson& to) {
  to.Put("timestamp_ns", m.timestamp_ns);
  to.Put("token", m.token);
  to.Put("shares", m.shares);
  to.Put("price", m.price);
  to.Put("liquidity", m.liquidity);
  to.Put("match_number", m.match_number);
}

void PutFields(const BrokenTrade& m, FieldJson& to) {
  to.Put("timestamp_ns", m.timestamp_ns);
  to.Put("token", m.token);
  to.Put("match_number", m.match_number);
  to.Put("reason", m.reason);
}

void PutFields(const Rejected& m, FieldJson& to) {
  to.Put("timestamp_ns", m.timestamp_ns);
  to.Put("token", m.token);
  to.Put("reason", m.reason);
}

void PutFields(const CancelPending& m, FieldJson& to) {
  to.Put("timestamp_ns", m.timestamp_ns);
  to.Put("token", m.token);
}

void PutFields(const CancelRejected& m, FieldJson& to) {
  to.Put("timestamp_ns", m.timestamp_ns);
  to.Put("token", m.token);
}

void PutFields(const PriorityUpdate& m, FieldJson& to) {
  to.Put("timestamp_ns", m.timestamp_ns);
  to.Put("token", m.token);
  to.Put("price", m.price);
  to.Put("display", m.display);
  to.Put("order_reference", m.order_reference);
}

void PutFields(const Modified& m, FieldJson& to) {
  to.Put("timestamp_ns", m.timestamp_ns);
  to.Put("token", m.token);
  to.Put("side", m.side);
  to.Put("shares", m.shares);
}

template <typename Message>
void Append(const Message& message, std::string& out) {
  std::visit(
      [&out]<typename T>(const T& typed) {
        absl::StrAppend(&out, "\"message\":\"", T::kName, "\"");
        FieldJson to(out);
        PutFields(typed, to);
      },
      message);
}

}  // namespace

void AppendJsonMembers(const Inbound& message, std::string& out) { Append(message, out); }
void AppendJsonMembers(const Outbound& message, std::string& out) { Append(message, out); }

}  // namespace engine::ouch
