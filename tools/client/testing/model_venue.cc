#include "tools/client/testing/model_venue.h"

#include <algorithm>
#include <utility>

#include "absl/strings/strip.h"
#include "engine/types/time_in_force.h"
#include "engine/wire/kalshi/json_writer.h"
#include "engine/wire/kalshi/order_replies.h"
#include "tools/client/testing/order_transcript.h"

namespace client {
namespace {

using engine::TimeInForce;
using engine::Timestamp;
using engine::kalshi::Count;
using engine::kalshi::OrderStatus;
namespace errors = engine::kalshi::errors;

constexpr absl::string_view kOrdersPath = "/trade-api/v2/portfolio/events/orders";

template <typename Value>
std::string JsonOf(const Value& value) {
  std::string text;
  engine::kalshi::JsonWriter json(text);
  Write(value, json);
  return text;
}

}  // namespace

ModelVenue::Reply ModelVenue::Execute(const Call& call, Timestamp now) {
  if (!is_kind_ && prng_.Chance(4)) return Refuse(errors::kTooManyRequests);
  if (!is_kind_ && prng_.Chance(2)) return Refuse(errors::kTradingPaused);
  absl::string_view path = call.path;
  if (!absl::ConsumePrefix(&path, kOrdersPath)) return Refuse(errors::kRouteNotFound);
  if (path.empty()) return Create(call.body, now);
  absl::ConsumePrefix(&path, "/");
  const bool is_amend = absl::ConsumeSuffix(&path, "/amend");
  const auto found = by_id_.find(path);
  Order* const order = found == by_id_.end() ? nullptr : found->second;
  return is_amend ? Amend(order, call.body, now) : Cancel(order, now);
}

ModelVenue::Reply ModelVenue::Create(absl::string_view body, Timestamp now) {
  const auto create = decoder_.DecodeCreateOrder(body);
  if (!create.ok()) return Refuse(create.error().kind, create.error().details);
  const auto client_id = std::string(create->client_order_id);
  if (by_client_id_.contains(client_id)) return Refuse(errors::kOrderAlreadyExists);
  if (!is_kind_ && prng_.Chance(3)) return Refuse(errors::kInsufficientBalance);
  if (create->post_only && prng_.Chance(20)) {
    return Refuse(errors::kInvalidOrder, errors::kPostOnlyCross);
  }
  const bool is_all_or_none = create->time_in_force == TimeInForce::kFillOrKill;
  if (is_all_or_none && prng_.Chance(50)) return Refuse(errors::kFillOrKill);
  Order& order = orders_.emplace_back(Order{.id = VenueIdOf(orders_.size() + 1),
                                            .client_order_id = client_id,
                                            .ticker = std::string(create->ticker),
                                            .side = create->side,
                                            .price = create->price,
                                            .total = create->count});
  by_id_[order.id] = &order;
  by_client_id_[client_id] = &order;
  if (is_all_or_none || prng_.Chance(30)) {
    while (order.is_resting()) {
      TradeSome(order, now);
      if (!is_all_or_none && prng_.Chance(60)) break;
    }
  }
  const bool rests = create->time_in_force == TimeInForce::kGoodTillCancelled;
  if (order.is_resting() && (!rests || prng_.Chance(3))) End(order, OrderStatus::kCanceled, now);
  Changed(order, now);
  return OrderReply(201, order, Count());
}

ModelVenue::Reply ModelVenue::Amend(Order* order, absl::string_view body, Timestamp now) {
  const auto amend = decoder_.DecodeAmendOrder(body);
  if (!amend.ok()) return Refuse(amend.error().kind, amend.error().details);
  if (order == nullptr || !order->is_resting()) return Refuse(errors::kNotFound);
  if (amend->ticker != order->ticker) return Refuse(errors::kOrderTickerMismatch);
  if (amend->side != order->side) return Refuse(errors::kOrderSideMismatch);
  if (amend->count <= order->filled) return Refuse(errors::kInvalidOrder);
  const Count before = order->filled;
  order->price = amend->price;
  order->total = amend->count;
  if (prng_.Chance(20)) TradeSome(*order, now);
  if (order->is_resting() && prng_.Chance(5)) End(*order, OrderStatus::kCanceled, now);
  Changed(*order, now);
  return OrderReply(200, *order, before);
}

ModelVenue::Reply ModelVenue::Cancel(Order* order, Timestamp now) {
  if (order == nullptr || !order->is_resting()) return Refuse(errors::kNotFound);
  const Count reduced_by = order->remaining();
  End(*order, OrderStatus::kCanceled, now);
  return {.status = 200,
          .body = JsonOf(engine::kalshi::CancelReply{.order_id = order->id,
                                                     .client_order_id = order->client_order_id,
                                                     .reduced_by = reduced_by})};
}

ModelVenue::Reply ModelVenue::OrderReply(int status, const Order& order,
                                         Count filled_before) const {
  engine::kalshi::CreateReply reply = {.order_id = order.id,
                                       .client_order_id = order.client_order_id,
                                       .remaining_count = order.remaining()};
  reply.fills.count = order.filled - filled_before;
  return {.status = status, .body = JsonOf(reply)};
}

ModelVenue::Reply ModelVenue::Refuse(const engine::kalshi::ErrorKind& kind,
                                     absl::string_view details) {
  Reply reply = {.status = kind.status};
  engine::kalshi::AppendErrorBody({kind, std::string(details)}, reply.body);
  return reply;
}

void ModelVenue::ActByItself(Timestamp now) {
  std::vector<Order*> resting;
  for (Order& order : orders_) {
    if (order.is_resting()) resting.push_back(&order);
  }
  if (resting.empty()) return;
  Order& order = *resting[prng_.Below(resting.size())];
  if (prng_.Chance(15)) return End(order, OrderStatus::kCanceled, now);
  TradeSome(order, now);
}

void ModelVenue::TradeSome(Order& order, Timestamp now) {
  const auto most = static_cast<uint64_t>(order.remaining().hundredths());
  const auto part = static_cast<int64_t>(prng_.Chance(30) ? most : 1 + prng_.Below(most));
  const Count count = Count::FromHundredths(part);
  order.filled = order.filled + count;
  const auto fee = static_cast<int64_t>(prng_.Below(1'000)) * 100;
  fills_.push_back({.trade_id = VenueIdOf(1'000'000'000 + fills_.size()),
                    .order_id = order.id,
                    .client_order_id = order.client_order_id,
                    .ticker = order.ticker,
                    .side = order.side,
                    .price = order.price,
                    .count = count,
                    .fee = engine::Money::FromMicros(fee),
                    .time = now});
  fill_messages_.push_back(fills_.back());
  if (order.filled == order.total) order.status = OrderStatus::kExecuted;
  Changed(order, now);
}

void ModelVenue::End(Order& order, OrderStatus status, Timestamp now) {
  order.status = status;
  Changed(order, now);
}

void ModelVenue::Changed(Order& order, Timestamp now) {
  order.changed = now;
  history_.push_back(order);
  order_messages_.push_back(order);
}

std::vector<ModelVenue::Order> ModelVenue::OrdersAt(Timestamp time) const {
  std::map<std::string, Order> latest;
  for (const Order& order : history_) {
    if (order.changed <= time) latest[order.id] = order;
  }
  std::vector<Order> orders;
  for (auto& [id, order] : latest) orders.push_back(std::move(order));
  return orders;
}

std::vector<ModelVenue::Fill> ModelVenue::FillsAt(Timestamp time) const {
  std::vector<Fill> fills;
  for (const Fill& fill : fills_) {
    if (fill.time <= time) fills.push_back(fill);
  }
  std::reverse(fills.begin(), fills.end());  // The newest first.
  return fills;
}

}  // namespace client
