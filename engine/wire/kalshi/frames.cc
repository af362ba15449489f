#include "engine/wire/kalshi/frames.h"

#include "engine/wire/kalshi/json_writer.h"

namespace engine::kalshi {
namespace {

void WriteAddress(const FrameAddress& address, JsonWriter& json) {
  if (address.id != 0) json.Integer("id", address.id);
  if (address.sid != 0) json.Integer("sid", address.sid);
  if (address.seq != 0) json.Integer("seq", address.seq);
}

void WriteTickers(std::span<const absl::string_view> tickers, JsonWriter& json) {
  json.BeginArray("market_tickers");
  for (const absl::string_view ticker : tickers) json.Text(ticker);
  json.EndArray();
}

void WriteSubscription(Channel channel, int64_t sid, JsonWriter& json) {
  json.Text("channel", ChannelName(channel)).Integer("sid", sid).EndObject();
}

}  // namespace

absl::string_view ToText(FrameType type) {
  switch (type) {
    case FrameType::kOrderbookSnapshot:
      return "orderbook_snapshot";
    case FrameType::kOrderbookDelta:
      return "orderbook_delta";
    case FrameType::kTicker:
      return "ticker";
    case FrameType::kTrade:
      return "trade";
    case FrameType::kFill:
      return "fill";
    case FrameType::kMarketPosition:
      return "market_position";
    case FrameType::kUserOrder:
      return "user_order";
    case FrameType::kMarketLifecycle:
      return "market_lifecycle_v2";
    case FrameType::kOrderGroupUpdates:
      return "order_group_updates";
  }
  return "";
}

void AppendFrame(FrameType type, const FrameAddress& address, absl::string_view msg,
                 std::string& out) {
  JsonWriter json(out);
  json.BeginObject().Text("type", ToText(type));
  WriteAddress(address, json);
  json.Raw("msg", msg).EndObject();
}

void AppendSubscribed(int64_t id, Channel channel, int64_t sid, std::string& out) {
  JsonWriter json(out);
  json.BeginObject().Text("type", "subscribed");
  WriteAddress({.id = id}, json);
  json.BeginObject("msg");
  WriteSubscription(channel, sid, json);
  json.EndObject();
}

void AppendOk(const FrameAddress& address,
              std::optional<std::span<const absl::string_view>> market_tickers, std::string& out) {
  JsonWriter json(out);
  json.BeginObject().Text("type", "ok");
  WriteAddress(address, json);
  json.BeginObject("msg");
  if (market_tickers.has_value()) WriteTickers(*market_tickers, json);
  json.EndObject().EndObject();
}

void AppendUnsubscribed(const FrameAddress& address, std::string& out) {
  JsonWriter json(out);
  json.BeginObject();
  WriteAddress(address, json);
  json.Text("type", "unsubscribed").EndObject();
}

void AppendSubscriptions(int64_t id, std::span<const ListedSubscription> subscriptions,
                         std::string& out) {
  JsonWriter json(out);
  json.BeginObject();
  WriteAddress({.id = id}, json);
  json.Text("type", "ok").BeginArray("msg");
  for (const ListedSubscription& subscription : subscriptions) {
    json.BeginObject();
    WriteSubscription(subscription.channel, subscription.sid, json);
  }
  json.EndArray().EndObject();
}

void AppendError(const FrameAddress& address, SocketErrorCode code,
                 std::span<const absl::string_view> market_tickers, std::string& out) {
  JsonWriter json(out);
  json.BeginObject();
  WriteAddress(address, json);
  json.Text("type", "error")
      .BeginObject("msg")
      .Integer("code", static_cast<int64_t>(code))
      .Text("msg", SocketErrorText(code));
  if (!market_tickers.empty()) WriteTickers(market_tickers, json);
  json.EndObject().EndObject();
}

}  // namespace engine::kalshi
