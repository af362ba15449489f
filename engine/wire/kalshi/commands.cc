#include "engine/wire/kalshi/commands.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/wire/kalshi/json_fields.h"

namespace engine::kalshi {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;
using Code = SocketErrorCode;

constexpr size_t kDepthMax = 16;

struct ChannelTraits {
  absl::string_view name;
  bool is_sequenced = false;
  bool covers_all_markets = false;
};

// In the order of Channel.
constexpr std::array<ChannelTraits, kChannelCount> kChannels = {{
    {.name = "orderbook_delta", .is_sequenced = true},
    {.name = "ticker"},
    {.name = "trade", .is_sequenced = true},
    {.name = "fill"},
    {.name = "market_positions"},
    {.name = "user_orders"},
    {.name = "market_lifecycle_v2", .is_sequenced = true, .covers_all_markets = true},
    {.name = "multivariate_market_lifecycle", .is_sequenced = true, .covers_all_markets = true},
    {.name = "order_group_updates", .is_sequenced = true, .covers_all_markets = true},
}};

const ChannelTraits& TraitsOf(Channel channel) { return kChannels[static_cast<size_t>(channel)]; }

// The members of all commands' params, as they came.
struct RawParams {
  std::optional<array> channels, market_tickers, market_ids, sids;
  std::optional<absl::string_view> market_ticker, market_id, action;
  std::optional<int64_t> sid;
  std::optional<bool> send_initial_snapshot, skip_ticker_ack, use_yes_price;

  void Read(object params, TypeErrors& types) {
    types.ReadMembers(params, "Params", "",
                      std::array<JsonField, 11>{{
                          {"channels", &channels, "[]string"},
                          {"market_ticker", &market_ticker, "string"},
                          {"market_tickers", &market_tickers, "[]string"},
                          {"market_id", &market_id, "string"},
                          {"market_ids", &market_ids, "[]string"},
                          {"sid", &sid, "int"},
                          {"sids", &sids, "[]int"},
                          {"action", &action, "string"},
                          {"send_initial_snapshot", &send_initial_snapshot, "bool"},
                          {"skip_ticker_ack", &skip_ticker_ack, "bool"},
                          {"use_yes_price", &use_yes_price, "bool"},
                      }});
  }
};

size_t SizeOf(const std::optional<array>& list) { return list.has_value() ? list->size() : 0; }

bool Append(element value, std::vector<absl::string_view>& out) {
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS || text.empty()) return false;
  out.emplace_back(text.data(), text.size());
  return true;
}

bool Append(element value, std::vector<int64_t>& out) {
  int64_t number = 0;
  if (value.get(number) != simdjson::SUCCESS) return false;
  if (std::find(out.begin(), out.end(), number) == out.end()) out.push_back(number);
  return true;
}

// Reads all elements; false if one has another type, or is an empty text.
template <typename T>
bool ReadList(const std::optional<array>& list, std::vector<T>& out) {
  if (!list.has_value()) return true;
  return std::all_of(list->begin(), list->end(), [&](element value) { return Append(value, out); });
}

// nullopt if it passes, as below.
using Refusal = std::optional<Code>;

// One text or a list, not both.
Refusal ReadOneOrMany(const std::optional<absl::string_view>& one, const std::optional<array>& many,
                      std::vector<absl::string_view>& out) {
  const bool has_one = !one.value_or("").empty();
  if (has_one && SizeOf(many) > 0) return Code::kInvalidParameter;
  if (SizeOf(many) > CommandDecoder::kListMax) return Code::kMarketLimit;
  if (!ReadList(many, out)) return Code::kInvalidParameter;
  if (has_one) out.push_back(*one);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return std::nullopt;
}

Refusal ReadMarkets(const RawParams& raw, std::vector<absl::string_view>& tickers,
                    std::vector<absl::string_view>& ids) {
  if (const Refusal code = ReadOneOrMany(raw.market_ticker, raw.market_tickers, tickers)) {
    return code;
  }
  return ReadOneOrMany(raw.market_id, raw.market_ids, ids);
}

Refusal ReadChannels(const std::optional<array>& list, std::vector<Channel>& channels) {
  if (SizeOf(list) == 0) return Code::kChannelsRequired;
  std::vector<absl::string_view> names;
  if (SizeOf(list) > CommandDecoder::kListMax || !ReadList(list, names)) {
    return Code::kInvalidParameter;
  }
  for (const absl::string_view name : names) {
    const std::optional<Channel> channel = ParseChannel(name);
    if (!channel.has_value()) return Code::kUnknownChannel;
    if (std::find(channels.begin(), channels.end(), *channel) == channels.end()) {
      channels.push_back(*channel);
    }
  }
  return std::nullopt;
}

using Body = decltype(SocketCommand::body);

std::variant<Body, Code> ReadSubscribe(const RawParams& raw) {
  Subscribe subscribe;
  if (const Refusal code = ReadChannels(raw.channels, subscribe.channels)) return *code;
  if (const Refusal code = ReadMarkets(raw, subscribe.market_tickers, subscribe.market_ids)) {
    return *code;
  }
  for (const Channel channel : subscribe.channels) {
    if (channel == Channel::kOrderbookDelta && subscribe.market_tickers.empty()) {
      return Code::kMarketTickerRequired;
    }
    if (channel != Channel::kTicker && !subscribe.market_ids.empty()) {
      return Code::kInvalidParameter;
    }
  }
  subscribe.send_initial_snapshot = raw.send_initial_snapshot.value_or(false);
  subscribe.skip_ticker_ack = raw.skip_ticker_ack.value_or(false);
  subscribe.use_yes_price = raw.use_yes_price.value_or(false);
  return Body(std::move(subscribe));
}

std::variant<Body, Code> ReadUnsubscribe(const RawParams& raw) {
  Unsubscribe unsubscribe;
  if (SizeOf(raw.sids) > CommandDecoder::kListMax || !ReadList(raw.sids, unsubscribe.sids)) {
    return Code::kInvalidParameter;
  }
  if (raw.sid.has_value()) unsubscribe.sids.push_back(*raw.sid);
  if (unsubscribe.sids.empty()) return Code::kSidsRequired;
  return Body(std::move(unsubscribe));
}

std::optional<UpdateSubscription::Action> ParseAction(absl::string_view text) {
  using Action = UpdateSubscription::Action;
  if (text == "add_markets") return Action::kAddMarkets;
  if (text == "delete_markets") return Action::kDeleteMarkets;
  if (text == "get_snapshot") return Action::kGetSnapshot;
  return std::nullopt;
}

std::variant<Body, Code> ReadUpdate(const RawParams& raw) {
  UpdateSubscription update;
  if (SizeOf(raw.sids) + (raw.sid.has_value() ? 1 : 0) != 1) return Code::kExactlyOneSid;
  std::vector<int64_t> sids;
  if (!ReadList(raw.sids, sids)) return Code::kInvalidParameter;
  update.sid = raw.sid.has_value() ? *raw.sid : sids[0];
  if (raw.action.value_or("").empty()) return Code::kActionRequired;
  const auto action = ParseAction(*raw.action);
  if (!action.has_value()) return Code::kUnsupportedAction;
  update.action = *action;
  if (const Refusal code = ReadMarkets(raw, update.market_tickers, update.market_ids)) return *code;
  if (update.action != UpdateSubscription::Action::kGetSnapshot && update.market_tickers.empty() &&
      update.market_ids.empty()) {
    return Code::kMarketTickerRequired;
  }
  update.send_initial_snapshot = raw.send_initial_snapshot.value_or(false);
  return Body(std::move(update));
}

// Reads the params of `verb`, which are there unless it needs none.
std::variant<Body, Code> ReadBody(absl::string_view verb, const std::optional<object>& params) {
  if (verb == "list_subscriptions") return Body(ListSubscriptions{});
  if (verb != "subscribe" && verb != "unsubscribe" && verb != "update_subscription") {
    return Code::kUnknownCommand;
  }
  if (!params.has_value()) return Code::kParamsRequired;
  RawParams raw;
  TypeErrors types;
  raw.Read(*params, types);
  if (types.any()) return Code::kInvalidParameter;
  if (verb == "subscribe") return ReadSubscribe(raw);
  return verb == "unsubscribe" ? ReadUnsubscribe(raw) : ReadUpdate(raw);
}

}  // namespace

absl::string_view ChannelName(Channel channel) { return TraitsOf(channel).name; }
bool IsSequenced(Channel channel) { return TraitsOf(channel).is_sequenced; }
bool CoversAllMarkets(Channel channel) { return TraitsOf(channel).covers_all_markets; }

std::optional<Channel> ParseChannel(absl::string_view name) {
  for (size_t i = 0; i < kChannels.size(); ++i) {
    if (kChannels[i].name == name) return static_cast<Channel>(i);
  }
  return std::nullopt;
}

struct CommandDecoder::Memory {
  JsonDocument document{kMessageBytesMax, kDepthMax};
};

CommandDecoder::CommandDecoder() : memory_(std::make_unique<Memory>()) {}
CommandDecoder::~CommandDecoder() = default;

std::variant<SocketCommand, SocketRefusal> CommandDecoder::Decode(absl::string_view message) {
  const std::optional<element> root = memory_->document.Parse(message);
  if (!root.has_value()) return SocketRefusal{};
  std::optional<int64_t> id;
  std::optional<absl::string_view> verb;
  std::optional<object> params;
  TypeErrors types;
  types.Read(*root, "Command", "",
             std::array<JsonField, 3>{
                 {{"id", &id, "int"}, {"cmd", &verb, "string"}, {"params", &params, "Params"}}});
  if (types.any()) return SocketRefusal{.id = id.value_or(0)};
  std::variant<Body, Code> body = ReadBody(verb.value_or(""), params);
  if (const Code* code = std::get_if<Code>(&body)) {
    return SocketRefusal{.id = id.value_or(0), .code = *code};
  }
  return SocketCommand{.id = id.value_or(0), .body = std::get<Body>(std::move(body))};
}

}  // namespace engine::kalshi
