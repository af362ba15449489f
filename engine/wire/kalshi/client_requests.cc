#include "engine/wire/kalshi/client_requests.h"

#include <cstdint>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/types/time_in_force.h"
#include "engine/wire/kalshi/market_objects.h"
#include "engine/wire/kalshi/portfolio_objects.h"

namespace engine::kalshi {
namespace {

// Those that a request can have; others are as good till cancelled.
absl::string_view ToText(TimeInForce time_in_force) {
  switch (time_in_force) {
    case TimeInForce::kImmediateOrCancel:
      return "immediate_or_cancel";
    case TimeInForce::kFillOrKill:
      return "fill_or_kill";
    default:
      return "good_till_canceled";
  }
}

absl::string_view ToText(UpdateSubscription::Action action) {
  switch (action) {
    case UpdateSubscription::Action::kAddMarkets:
      return "add_markets";
    case UpdateSubscription::Action::kDeleteMarkets:
      return "delete_markets";
    case UpdateSubscription::Action::kGetSnapshot:
      return "get_snapshot";
  }
  return "";
}

void WriteIfTrue(absl::string_view key, bool value, JsonWriter& json) {
  if (value) json.Boolean(key, true);
}

void WriteExchangeIndex(int32_t index, JsonWriter& json) {
  if (index >= 0) json.Integer("exchange_index", index);
}

void WriteTextsIfAny(absl::string_view key, const std::vector<absl::string_view>& texts,
                     JsonWriter& json) {
  if (texts.empty()) return;
  json.BeginArray(key);
  for (const absl::string_view text : texts) json.Text(text);
  json.EndArray();
}

// Writes `cmd` and `params`.
struct BodyWriter {
  JsonWriter& json;

  void operator()(const Subscribe& subscribe) {
    json.Text("cmd", "subscribe").BeginObject("params").BeginArray("channels");
    for (const Channel channel : subscribe.channels) json.Text(ChannelName(channel));
    json.EndArray();
    WriteTextsIfAny("market_tickers", subscribe.market_tickers, json);
    WriteTextsIfAny("market_ids", subscribe.market_ids, json);
    WriteIfTrue("send_initial_snapshot", subscribe.send_initial_snapshot, json);
    WriteIfTrue("skip_ticker_ack", subscribe.skip_ticker_ack, json);
    WriteIfTrue("use_yes_price", subscribe.use_yes_price, json);
    json.EndObject();
  }
  void operator()(const Unsubscribe& unsubscribe) {
    json.Text("cmd", "unsubscribe").BeginObject("params").BeginArray("sids");
    for (const int64_t sid : unsubscribe.sids) json.Integer(sid);
    json.EndArray().EndObject();
  }
  void operator()(const UpdateSubscription& update) {
    json.Text("cmd", "update_subscription")
        .BeginObject("params")
        .Integer("sid", update.sid)
        .Text("action", ToText(update.action));
    WriteTextsIfAny("market_tickers", update.market_tickers, json);
    WriteTextsIfAny("market_ids", update.market_ids, json);
    WriteIfTrue("send_initial_snapshot", update.send_initial_snapshot, json);
    json.EndObject();
  }
  void operator()(const ListSubscriptions&) { json.Text("cmd", "list_subscriptions"); }
};

}  // namespace

void Write(const CreateOrder& order, JsonWriter& json) {
  json.BeginObject()
      .Text("ticker", order.ticker)
      .Text("side", BookSideText(order.side))
      .Count("count", order.count)
      .Price("price", order.price)
      .Text("time_in_force", ToText(order.time_in_force))
      .Text("self_trade_prevention_type", kalshi::ToText(order.self_trade_prevention))
      .TextIfAny("client_order_id", order.client_order_id)
      .TextIfAny("order_group_id", order.order_group_id)
      .IntegerIfAny("expiration_time", order.expiration_s);
  WriteIfTrue("post_only", order.post_only, json);
  WriteIfTrue("reduce_only", order.reduce_only, json);
  WriteIfTrue("cancel_order_on_pause", order.cancel_order_on_pause, json);
  WriteExchangeIndex(order.exchange_index, json);
  json.EndObject();
}

void Write(const AmendOrder& amend, JsonWriter& json) {
  json.BeginObject()
      .Text("ticker", amend.ticker)
      .Text("side", BookSideText(amend.side))
      .Price("price", amend.price)
      .Count("count", amend.count)
      .TextIfAny("client_order_id", amend.client_order_id)
      .TextIfAny("updated_client_order_id", amend.updated_client_order_id)
      .IntegerIfAny("expiration_time", amend.expiration_s);
  WriteExchangeIndex(amend.exchange_index, json);
  json.EndObject();
}

void Write(const SocketCommand& command, JsonWriter& json) {
  json.BeginObject();
  if (command.id != 0) json.Integer("id", command.id);
  std::visit(BodyWriter{json}, command.body);
  json.EndObject();
}

}  // namespace engine::kalshi
