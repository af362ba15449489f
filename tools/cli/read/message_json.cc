#include "tools/cli/read/message_json.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/messages/account_codecs.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/names.h"
#include "engine/types/decimal.h"
#include "engine/types/money.h"
#include "engine/types/order_flags.h"
#include "engine/types/price.h"
#include "engine/types/time_in_force.h"

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

// A string, to be exact: amounts may exceed 2^53 micro-dollars.
void WriteMoney(JsonObject& json, absl::string_view name, engine::Money money) {
  json.Field(name, money.ToString());
}

void WritePosition(JsonObject& json, int64_t position, const MarketDefinition* market) {
  if (market != nullptr) {
    json.Field("position",
               engine::FormatPrice(engine::Price::FromUnits(position), market->quantity_decimals));
  }
  json.Field("position_units", position);
}

std::string BandsText(const MarketDefinition& definition) {
  std::string text;
  for (const engine::TickBand& band : definition.bands) {
    absl::StrAppend(&text, text.empty() ? "" : ",",
                    engine::FormatPrice(band.from, definition.price_decimals), ":",
                    engine::FormatPrice(band.tick, definition.price_decimals));
  }
  return text;
}

void WriteMarket(JsonObject& json, engine::MarketId id, const MarketDefinition* market) {
  if (market != nullptr) json.Field("market", market->symbol);
  WriteNumber(json, "market_id", id);
}

// Whether re-encoding the values gives the same bytes: importing the JSON must give the same log.
bool IsSame(const std::vector<std::byte>& again, engine::Bytes attachment) {
  return std::ranges::equal(again, attachment);
}

// Returns false if the bytes are not such a message, or contain more than its values.
bool WriteDefinition(JsonObject& json, engine::Bytes attachment) {
  const auto definition = engine::DecodeMarketDefinition(attachment);
  if (!definition.ok()) return false;
  if (!IsSame(engine::EncodeMarketDefinition(*definition), attachment)) return false;
  json.BeginObject("definition");
  json.Field("id", definition->id.value());
  json.Field("symbol", definition->symbol);
  json.Field("price_decimals", definition->price_decimals);
  json.Field("quantity_decimals", definition->quantity_decimals);
  WritePrice(json, "tick", definition->tick, &*definition);
  WritePrice(json, "price_min", definition->price_min, &*definition);
  WritePrice(json, "price_max", definition->price_max, &*definition);
  WriteQuantity(json, "lot", definition->lot, &*definition);
  WriteEnum(json, "kind", definition->kind);
  if (!definition->quantity_min.is_zero()) {
    WriteQuantity(json, "quantity_min", definition->quantity_min, &*definition);
  }
  if (!definition->quantity_max.is_zero()) {
    WriteQuantity(json, "quantity_max", definition->quantity_max, &*definition);
  }
  if (definition->starts_unopened) json.Field("unopened", 1);
  if (definition->fok_becomes_ioc) json.Field("fok_becomes_ioc", 1);
  if (definition->post_only_change_cancels) json.Field("post_only_change_cancels", 1);
  if (!definition->bands.empty()) json.Field("bands", BandsText(*definition));
  json.EndObject();
  return true;
}

bool WriteLimits(JsonObject& json, engine::Bytes attachment) {
  const auto limits = engine::DecodeRiskLimits(attachment);
  if (!limits.ok() || !IsSame(engine::EncodeRiskLimits(*limits), attachment)) return false;
  json.BeginObject("limits");
  json.Field("open_orders_max", limits->open_orders_max);
  json.Field("order_quantity_max_units", limits->order_quantity_max.units());
  WriteMoney(json, "order_notional_max", limits->order_notional_max);
  json.Field("orders_per_second_max", limits->orders_per_second_max);
  json.EndObject();
  return true;
}

bool WriteFees(JsonObject& json, engine::Bytes attachment) {
  const auto fees = engine::DecodeFeeSchedule(attachment);
  if (!fees.ok() || !IsSame(engine::EncodeFeeSchedule(*fees), attachment)) return false;
  json.BeginObject("fees");
  json.Field("taker_coefficient", fees->taker_coefficient);
  json.Field("maker_coefficient", fees->maker_coefficient);
  json.Field("multiplier", fees->multiplier);
  json.EndObject();
  return true;
}

void WriteAttachment(JsonObject& json, const engine::Command& command, engine::Bytes attachment) {
  if (attachment.empty()) return;
  switch (command.kind) {
    case engine::CommandKind::kDefineMarket:
      if (WriteDefinition(json, attachment)) return;
      break;
    case engine::CommandKind::kSetRiskLimits:
      if (WriteLimits(json, attachment)) return;
      break;
    case engine::CommandKind::kSetFees:
      if (WriteFees(json, attachment)) return;
      break;
    default:
      break;
  }
  json.Field("attachment", engine::ToHex(attachment));
}

void WriteFlags(JsonObject& json, engine::OrderFlags flags) {
  if (flags == engine::OrderFlags()) return;
  json.Field("flags", static_cast<int>(flags.bits()));
  if (flags.post_only()) json.Field("post_only", 1);
  if (flags.reduce_only()) json.Field("reduce_only", 1);
  if (flags.cancel_on_pause()) json.Field("cancel_on_pause", 1);
  WriteEnum(json, "stp", flags.self_trade_prevention());
}

// Writes the words that are an order and a price in most kinds.
void WriteOrderWord(JsonObject& json, const engine::Command& command) {
  if (command.kind == engine::CommandKind::kNewOrder &&
      command.tif == engine::TimeInForce::kGoodTillTime) {
    json.Field("expires", command.expires_at().ToString());
  } else {
    WriteNumber(json, "order", command.order_id);
  }
}

void WritePriceWord(JsonObject& json, const engine::Command& command,
                    const MarketDefinition* market) {
  if (command.price == engine::Price()) return;
  switch (command.kind) {
    case engine::CommandKind::kDeposit:
    case engine::CommandKind::kWithdraw:
      return WriteMoney(json, "amount", command.amount());
    case engine::CommandKind::kDefineGroup:
      return json.Field("window_ns", command.window_nanos());
    default:
      return WritePrice(json, "price", command.price, market);
  }
}

void WriteDetail(JsonObject& json, const engine::Event& event) {
  if (event.detail == 0) return;
  switch (event.kind) {
    case engine::EventKind::kRejected:
      return json.Field("reason", engine::NameOf(event.reject_reason()));
    case engine::EventKind::kCancelled:
      return json.Field("reason", engine::NameOf(event.cancel_reason()));
    case engine::EventKind::kAmended:
      return json.Field("priority", engine::NameOf(event.priority()));
    case engine::EventKind::kMarketState:
      return json.Field("state", engine::NameOf(event.market_state()));
    case engine::EventKind::kExchangeState:
      return json.Field("state", engine::NameOf(event.exchange_state()));
    default:
      return json.Field("detail", static_cast<int>(event.detail));
  }
}

// Money events use the words that others use for counter order, price and quantities.
void WriteMoneyWords(JsonObject& json, const engine::Event& event) {
  WriteMoney(json, "change", event.change());
  WriteMoney(json, "fee", event.fee());
  WriteMoney(json, "balance", event.balance());
  WriteMoney(json, "reserved", event.reserved());
}

void WriteOrderWords(JsonObject& json, const engine::Event& event, const MarketDefinition* market) {
  if (event.kind == engine::EventKind::kPosition) {
    WritePosition(json, event.position(), market);
  } else if (event.price != engine::Price()) {
    WritePrice(json, "price", event.price, market);
  }
  if (event.kind == engine::EventKind::kMassCancelled) {
    json.Field("orders", event.quantity.units());
  } else if (!event.quantity.is_zero()) {
    WriteQuantity(json, "quantity", event.quantity, market);
  }
  if (!event.quantity_remaining.is_zero()) {
    WriteQuantity(json, "remaining", event.quantity_remaining, market);
  }
}

absl::string_view OrderName(engine::EventKind kind) {
  switch (kind) {
    case engine::EventKind::kTrade:
      return "maker";
    case engine::EventKind::kGroupDefined:
    case engine::EventKind::kGroupReset:
    case engine::EventKind::kGroupTripped:
      return "group";
    default:
      return "order";
  }
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
  WriteOrderWord(json, command);
  WriteEnum(json, "side", command.side);
  WriteEnum(json, "type", command.type);
  WriteEnum(json, "tif", command.tif);
  WritePriceWord(json, command, market);
  if (!command.quantity.is_zero()) WriteQuantity(json, "quantity", command.quantity, market);
  WriteNumber(json, "account", command.account);
  if (command.client_order_id != engine::ClientOrderId()) {
    json.Field("client_order_id", absl::StrCat(command.client_order_id.value()));
  }
  WriteFlags(json, command.flags);
  WriteNumber(json, "group", command.group);
  WriteAttachment(json, command, attachment);
}

void WriteEvent(JsonObject& json, const engine::Event& event, engine::Timestamp time,
                const engine::MarketDirectory& markets) {
  const MarketDefinition* market = markets.Find(event.market);
  const bool is_money = event.kind == engine::EventKind::kBalance;
  json.Field("sequence", event.sequence.value());
  json.Field("index", event.index);
  json.Field("time", time.ToString());
  json.Field("kind", engine::NameOf(event.kind));
  WriteMarket(json, event.market, market);
  WriteNumber(json, OrderName(event.kind), event.order_id);
  if (!is_money) {
    WriteNumber(json, event.kind == engine::EventKind::kTrade ? "taker" : "from",
                event.counter_order_id);
  }
  WriteEnum(json, "side", event.side);
  is_money ? WriteMoneyWords(json, event) : WriteOrderWords(json, event, market);
  WriteNumber(json, "account", event.account);
  WriteDetail(json, event);
}

}  // namespace tools
