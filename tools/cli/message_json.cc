#include "tools/cli/message_json.h"

#include "absl/strings/str_cat.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/names.h"
#include "engine/types/decimal.h"

namespace tools {
namespace {

using engine::MarketDefinition;

template <typename Value>
void WriteNumber(JsonObject& json, absl::string_view name, Value value) {
  if (value != Value()) json.Field(name, value.value());
}

template <typename Enum>
void WriteEnum(JsonObject& json, absl::string_view name, Enum value) {
  if (value != Enum()) json.Field(name, engine::NameOf(value));
}

void WriteMarket(JsonObject& json, engine::MarketId id, const MarketDefinition* market) {
  if (market != nullptr) json.Field("market", market->symbol);
  WriteNumber(json, "market_id", id);
}

void WriteAttachment(JsonObject& json, const engine::Command& command, engine::Bytes attachment) {
  if (attachment.empty()) return;
  const auto definition = command.kind == engine::CommandKind::kDefineMarket
                              ? engine::DecodeMarketDefinition(attachment)
                              : absl::InvalidArgumentError("another kind");
  if (!definition.ok()) {
    json.Field("attachment", engine::ToHex(attachment));
    return;
  }
  json.BeginObject("definition");
  json.Field("id", definition->id.value());
  json.Field("symbol", definition->symbol);
  json.Field("price_decimals", definition->price_decimals);
  json.Field("quantity_decimals", definition->quantity_decimals);
  WritePrice(json, "tick", definition->tick, &*definition);
  WritePrice(json, "price_min", definition->price_min, &*definition);
  WritePrice(json, "price_max", definition->price_max, &*definition);
  WriteQuantity(json, "lot", definition->lot, &*definition);
  json.EndObject();
}

}  // namespace

std::string CommandJson(const engine::Command& command, engine::Bytes attachment,
                        const engine::MarketDirectory& markets) {
  JsonObject json(kCommandSchema);
  WriteCommand(json, command, attachment, markets);
  return json.Take();
}

std::string EventJson(const engine::Event& event, engine::Timestamp time,
                      const engine::MarketDirectory& markets) {
  JsonObject json(kEventSchema);
  WriteEvent(json, event, time, markets);
  return json.Take();
}

void WritePrice(JsonObject& json, absl::string_view name, engine::Price price,
                const MarketDefinition* market) {
  if (market != nullptr) json.Field(name, engine::FormatPrice(price, market->price_decimals));
  json.Field(absl::StrCat(name, "_units"), price.units());
}

void WriteQuantity(JsonObject& json, absl::string_view name, engine::Quantity quantity,
                   const MarketDefinition* market) {
  if (market != nullptr) {
    json.Field(name, engine::FormatQuantity(quantity, market->quantity_decimals));
  }
  json.Field(absl::StrCat(name, "_units"), quantity.units());
}

void WriteCommand(JsonObject& json, const engine::Command& command, engine::Bytes attachment,
                  const engine::MarketDirectory& markets) {
  const MarketDefinition* market = markets.Find(command.market);
  json.Field("sequence", command.sequence.value());
  json.Field("time", command.timestamp.ToString());
  json.Field("kind", engine::NameOf(command.kind));
  WriteMarket(json, command.market, market);
  WriteNumber(json, "order", command.order_id);
  WriteEnum(json, "side", command.side);
  WriteEnum(json, "type", command.type);
  WriteEnum(json, "tif", command.tif);
  if (command.price != engine::Price()) WritePrice(json, "price", command.price, market);
  if (!command.quantity.is_zero()) WriteQuantity(json, "quantity", command.quantity, market);
  WriteNumber(json, "account", command.account);
  if (command.client_order_id != engine::ClientOrderId()) {
    json.Field("client_order_id", absl::StrCat(command.client_order_id.value()));
  }
  const auto& reserved = command.reserved;
  const int reserved_value = reserved[0] | reserved[1] << 8 | reserved[2] << 16;
  if (reserved_value != 0) json.Field("reserved", reserved_value);
  WriteAttachment(json, command, attachment);
}

void WriteEvent(JsonObject& json, const engine::Event& event, engine::Timestamp time,
                const engine::MarketDirectory& markets) {
  const MarketDefinition* market = markets.Find(event.market);
  const bool is_trade = event.kind == engine::EventKind::kTrade;
  json.Field("sequence", event.sequence.value());
  json.Field("index", event.index);
  json.Field("time", time.ToString());
  json.Field("kind", engine::NameOf(event.kind));
  WriteMarket(json, event.market, market);
  WriteNumber(json, is_trade ? "maker" : "order", event.order_id);
  WriteNumber(json, is_trade ? "taker" : "from", event.counter_order_id);
  WriteEnum(json, "side", event.side);
  if (event.price != engine::Price()) WritePrice(json, "price", event.price, market);
  if (!event.quantity.is_zero()) WriteQuantity(json, "quantity", event.quantity, market);
  if (!event.quantity_remaining.is_zero()) {
    WriteQuantity(json, "remaining", event.quantity_remaining, market);
  }
  WriteNumber(json, "account", event.account);
  if (event.detail == 0) return;
  switch (event.kind) {
    case engine::EventKind::kRejected:
      return json.Field("reason", engine::NameOf(event.reject_reason()));
    case engine::EventKind::kCancelled:
      return json.Field("reason", engine::NameOf(event.cancel_reason()));
    case engine::EventKind::kAmended:
      return json.Field("priority", engine::NameOf(event.priority()));
    default:
      return json.Field("detail", static_cast<int>(event.detail));
  }
}

}  // namespace tools
