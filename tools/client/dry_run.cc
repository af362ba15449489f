#include "tools/client/dry_run.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "engine/types/time_in_force.h"
#include "engine/wire/kalshi/json_writer.h"
#include "engine/wire/kalshi/order_replies.h"
#include "engine/wire/kalshi/portfolio_objects.h"
#include "engine/wire/kalshi/queries.h"
#include "engine/wire/kalshi/requests.h"

namespace client {
namespace {

std::string OrderIdOf(uint64_t number) {
  return absl::StrFormat("00000000-0000-4000-8000-%012x", number & 0xffff'ffff'ffff);
}

// The order of ".../orders/{order_id}/amend" and ".../orders/{order_id}".
absl::string_view OrderIn(absl::string_view path) {
  constexpr absl::string_view kParent = "/orders/";
  path.remove_prefix(path.find(kParent) + kParent.size());
  return path.substr(0, path.find('/'));
}

template <typename Value>
std::string JsonOf(const Value& value) {
  std::string text;
  engine::kalshi::JsonWriter json(text);
  Write(value, json);
  return text;
}

DryRun::Answer BadRequest() { return {.status = 400, .body = R"({"code":"bad_request"})"}; }
DryRun::Answer NotFound() { return {.status = 404, .body = R"({"error":{"code":"not_found"}})"}; }

}  // namespace

std::optional<DryRun::Answer> DryRun::AnswerTo(const Call& call) {
  switch (call.kind) {
    case CallKind::kCreate:
      return Create(call);
    case CallKind::kAmend:
      return Amend(call);
    case CallKind::kCancel:
      return Cancel(call);
    case CallKind::kCancelAll:
      ++calls_;
      for (auto& [id, order] : orders_) order.rests = false;
      return Answer{.status = 204, .body = {}};
    case CallKind::kOrders:
      return List();
    case CallKind::kFills:
      return Answer{.status = 200, .body = R"({"fills":[],"cursor":""})"};
    default:
      return std::nullopt;
  }
}

DryRun::Answer DryRun::Create(const Call& call) {
  const auto order = decoder_.DecodeCreateOrder(call.body);
  if (!order.ok()) return BadRequest();
  const std::string id = OrderIdOf(++calls_);
  engine::kalshi::CreateReply reply{.order_id = id, .client_order_id = order->client_order_id};
  if (order->time_in_force == engine::TimeInForce::kGoodTillCancelled) {
    reply.remaining_count = order->count;
    orders_[id] = {.client_order_id = std::string(order->client_order_id),
                   .ticker = std::string(order->ticker),
                   .side = order->side,
                   .price = order->price,
                   .count = order->count};
  }
  return {.status = 201, .body = JsonOf(reply)};
}

DryRun::Answer DryRun::Amend(const Call& call) {
  ++calls_;
  const auto amend = decoder_.DecodeAmendOrder(call.body);
  if (!amend.ok()) return BadRequest();
  const auto found = orders_.find(OrderIn(call.path));
  if (found == orders_.end() || !found->second.rests) return NotFound();
  found->second.price = amend->price;
  found->second.count = amend->count;
  return {
      .status = 200,
      .body = JsonOf(engine::kalshi::CreateReply{.order_id = found->first,
                                                 .client_order_id = found->second.client_order_id,
                                                 .remaining_count = amend->count})};
}

DryRun::Answer DryRun::Cancel(const Call& call) {
  ++calls_;
  const auto found = orders_.find(OrderIn(call.path));
  if (found == orders_.end() || !found->second.rests) return NotFound();
  Answer answer{.status = 200,
                .body = JsonOf(engine::kalshi::CancelReply{.order_id = found->first,
                                                           .reduced_by = found->second.count})};
  orders_.erase(found);
  return answer;
}

DryRun::Answer DryRun::List() {
  std::string body;
  engine::kalshi::JsonWriter json(body);
  json.BeginObject().BeginArray("orders");
  for (const auto& [id, order] : orders_) {
    Write(
        engine::kalshi::Order{
            .order_id = id,
            .client_order_id = order.client_order_id,
            .ticker = order.ticker,
            .side = order.side,
            .status = order.rests ? engine::kalshi::OrderStatus::kResting
                                  : engine::kalshi::OrderStatus::kCanceled,
            .price = order.price,
            .remaining_count = order.rests ? order.count : engine::kalshi::Count(),
            .initial_count = order.count,
        },
        json);
  }
  json.EndArray().Text("cursor", "").EndObject();
  absl::erase_if(orders_, [](const auto& entry) { return !entry.second.rests; });
  return {.status = 200, .body = std::move(body)};
}

}  // namespace client
