#include "tools/cli/read/message_json.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/integer_text.h"
#include "engine/messages/account_codecs.h"
#include "engine/messages/fields.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/names.h"
#include "engine/types/decimal.h"
#include "engine/types/money.h"
#include "engine/types/order_flags.h"
#include "engine/types/price.h"

namespace tools {
namespace {

using engine::EventWord;
using engine::FieldType;
using engine::MarketDefinition;

// A string, to be exact: amounts may exceed 2^53 micro-dollars.
void WriteMoney(JsonObject& json, absl::string_view name, engine::Money money) {
  json.Field(name, money.ToString());
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
  if (definition->kind != engine::MarketKind()) {
    json.Field("kind", engine::NameOf(definition->kind));
  }
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
  json.Field("flags", static_cast<int>(flags.bits()));
  for (const engine::OrderFlags::NamedBit& flag : engine::OrderFlags::kNamedBits) {
    if ((flags.bits() & flag.bit) != 0) json.Field(flag.name, 1);
  }
  const engine::SelfTradePrevention prevention = flags.self_trade_prevention();
  if (prevention != engine::SelfTradePrevention::kNone) {
    json.Field("stp", engine::NameOf(prevention));
  }
}

void WriteField(JsonObject& json, const engine::Field& field, uint64_t bits,
                const MarketDefinition* market) {
  switch (field.type) {
    case FieldType::kPrice:
    case FieldType::kPosition:
    case FieldType::kQuantity: {
      if (market != nullptr) json.Field(field.name, engine::FieldText(field.type, bits, market));
      const std::string units = absl::StrCat(field.name, "_units");
      return field.type == FieldType::kQuantity ? json.Field(units, bits)
                                                : json.Field(units, static_cast<int64_t>(bits));
    }
    case FieldType::kMarket:
      if (market != nullptr) json.Field("market", market->symbol);
      return json.Field("market_id", bits);
    case FieldType::kNanos:
      return json.Field(field.name, static_cast<int64_t>(bits));
    case FieldType::kNumber:
    case FieldType::kCount:
    case FieldType::kOrder:
      return json.Field(field.name, bits);
    case FieldType::kFlags:
      return WriteFlags(json, engine::OrderFlags::FromBits(static_cast<uint8_t>(bits)));
    default:
      return json.Field(field.name, engine::FieldText(field.type, bits, nullptr));
  }
}

void WriteNamedValues(JsonObject& json, const std::vector<replay::NamedValue>& values) {
  for (const replay::NamedValue& value : values) {
    int64_t number = 0;
    if (!value.is_text && engine::ParseInteger(value.value, number)) {
      json.Field(value.name, number);
    } else {
      json.Field(value.name, value.value);
    }
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
  for (const engine::Field& field : engine::FieldsOf(command)) {
    const uint64_t bits = field.Get(command);
    const bool is_always_there = field.type == FieldType::kTime ||
                                 field.type == FieldType::kCommandKind || field.name == "sequence";
    if (bits != 0 || is_always_there) WriteField(json, field, bits, market);
  }
  WriteAttachment(json, command, attachment);
}

void WriteEvent(JsonObject& json, const engine::Event& event, engine::Timestamp time,
                const engine::MarketDirectory& markets) {
  const MarketDefinition* market = markets.Find(event.market);
  json.Field("sequence", event.sequence.value());
  json.Field("index", event.index);
  json.Field("time", time.ToString());
  json.Field("kind", engine::NameOf(event.kind));
  const engine::EventFields& fields = engine::FieldsOf(event);
  const engine::Field& id = fields[static_cast<size_t>(EventWord::kMarket)];
  if (event.market != engine::MarketId()) WriteField(json, id, event.market.value(), market);
  bool is_after_side = false;
  for (const EventWord word : engine::kEventWordOrder) {
    const engine::Field& field = fields[static_cast<size_t>(word)];
    const bool is_money = field.type == FieldType::kMoney;
    if (word == EventWord::kCounter && is_money != is_after_side) continue;
    is_after_side = is_after_side || word == EventWord::kSide;
    const uint64_t bits = field.Get(event);
    const bool is_always_there =
        is_money || field.type == FieldType::kPosition || field.type == FieldType::kCount;
    if (bits != 0 || is_always_there) WriteField(json, field, bits, market);
  }
}

void WriteRow(JsonObject& json, const journal::Record& record,
              const replay::Vocabulary& vocabulary) {
  json.Field("sequence", record.sequence());
  json.Field("time", record.timestamp());
  json.Field("kind", vocabulary.RowKindName(vocabulary.KindOf(*record.row)));
  WriteNamedValues(json, vocabulary.Fields(record));
}

void WriteOutput(JsonObject& json, const replay::Output& output, engine::Timestamp time,
                 const replay::Vocabulary& vocabulary) {
  json.Field("sequence", output.sequence);
  json.Field("index", output.index);
  json.Field("time", time);
  json.Field("kind", vocabulary.OutputKindName(output.kind));
  WriteNamedValues(json, vocabulary.Fields(output));
}

std::string RowJson(const journal::Record& record, const replay::Vocabulary& vocabulary) {
  JsonObject json(kRowSchema);
  WriteRow(json, record, vocabulary);
  return json.Take();
}

std::string OutputJson(const replay::Output& output, engine::Timestamp time,
                       const replay::Vocabulary& vocabulary) {
  JsonObject json(kOutputSchema);
  WriteOutput(json, output, time, vocabulary);
  return json.Take();
}

}  // namespace tools
