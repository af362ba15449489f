#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/integer_text.h"
#include "engine/messages/account_codecs.h"
#include "engine/messages/fields.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/names.h"
#include "engine/messages/note_codec.h"
#include "engine/types/decimal.h"
#include "engine/types/order_flags.h"
#include "engine/types/price.h"
#include "tools/cli/read/message_forms.h"

namespace tools {
namespace {

using engine::EventWord;
using engine::FieldType;
using engine::MarketDefinition;

// Writes the decimal number if the market is known, and the count of units.
void WriteUnits(JsonObject& json, absl::string_view name, FieldType type, uint64_t bits,
                const MarketDefinition* market) {
  if (market != nullptr) json.Field(name, engine::FieldText(type, bits, market));
  const std::string units = absl::StrCat(name, "_units");
  engine::IsSigned(type) ? json.Field(units, static_cast<int64_t>(bits)) : json.Field(units, bits);
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

void WriteDefinition(JsonObject& json, const MarketDefinition& definition) {
  json.Field("id", definition.id);
  json.Field("symbol", definition.symbol);
  json.Field("price_decimals", definition.price_decimals);
  json.Field("quantity_decimals", definition.quantity_decimals);
  WritePrice(json, "tick", definition.tick, &definition);
  WritePrice(json, "price_min", definition.price_min, &definition);
  WritePrice(json, "price_max", definition.price_max, &definition);
  WriteQuantity(json, "lot", definition.lot, &definition);
  if (definition.kind != engine::MarketKind()) json.Field("kind", engine::NameOf(definition.kind));
  if (!definition.quantity_min.is_zero()) {
    WriteQuantity(json, "quantity_min", definition.quantity_min, &definition);
  }
  if (!definition.quantity_max.is_zero()) {
    WriteQuantity(json, "quantity_max", definition.quantity_max, &definition);
  }
  if (definition.starts_unopened) json.Field("unopened", 1);
  if (definition.fok_becomes_ioc) json.Field("fok_becomes_ioc", 1);
  if (definition.post_only_change_cancels) json.Field("post_only_change_cancels", 1);
  if (definition.mirrored) json.Field("mirrored", 1);
  if (!definition.bands.empty()) json.Field("bands", BandsText(definition));
}

void WriteLimits(JsonObject& json, const engine::RiskLimits& limits) {
  json.Field("open_orders_max", limits.open_orders_max);
  json.Field("order_quantity_max_units", limits.order_quantity_max.units());
  json.Field("order_notional_max", limits.order_notional_max);  // A text: it may exceed 2^53.
  json.Field("orders_per_second_max", limits.orders_per_second_max);
}

void WriteFees(JsonObject& json, const engine::FeeSchedule& fees) {
  json.Field("taker_coefficient", fees.taker_coefficient);
  json.Field("maker_coefficient", fees.maker_coefficient);
  json.Field("multiplier", fees.multiplier);
}

void WriteNote(JsonObject& json, const engine::Note& note) {
  json.Field("namespace", note.name_space);
  json.Field("version", note.version);
  json.Field("bytes", engine::ToHex(note.bytes));
}

// Writes the fields of the decoded attachment as the object `name`. Returns false if encoding them
// does not give the same bytes: importing the JSON must give the same log.
template <typename Value>
bool WriteDecoded(JsonObject& json, absl::string_view name, engine::Bytes attachment,
                  const absl::StatusOr<Value>& value,
                  std::vector<std::byte> (*encode)(const Value&),
                  void (*write)(JsonObject&, const Value&)) {
  if (!value.ok() || !std::ranges::equal(encode(*value), attachment)) return false;
  json.BeginObject(name);
  write(json, *value);
  json.EndObject();
  return true;
}

bool WriteKnown(JsonObject& json, engine::CommandKind kind, engine::Bytes bytes) {
  switch (kind) {
    case engine::CommandKind::kDefineMarket:
      return WriteDecoded(json, "definition", bytes, engine::DecodeMarketDefinition(bytes),
                          engine::EncodeMarketDefinition, WriteDefinition);
    case engine::CommandKind::kSetRiskLimits:
      return WriteDecoded(json, "limits", bytes, engine::DecodeRiskLimits(bytes),
                          engine::EncodeRiskLimits, WriteLimits);
    case engine::CommandKind::kSetFees:
      return WriteDecoded(json, "fees", bytes, engine::DecodeFeeSchedule(bytes),
                          engine::EncodeFeeSchedule, WriteFees);
    case engine::CommandKind::kNote:
      return WriteDecoded(json, "note", bytes, engine::DecodeNote(bytes), engine::EncodeNote,
                          WriteNote);
    default:
      return false;
  }
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
    case FieldType::kQuantity:
      return WriteUnits(json, field.name, field.type, bits, market);
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

}  // namespace

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

std::string CommandJson(const engine::Command& command, engine::Bytes attachment,
                        const engine::MarketDirectory& markets) {
  JsonObject json("ticktape.command/1");
  WriteCommand(json, command, attachment, markets);
  return json.Take();
}

std::string EventJson(const engine::Event& event, engine::Timestamp time,
                      const engine::MarketDirectory& markets) {
  JsonObject json("ticktape.event/1");
  WriteEvent(json, event, time, markets);
  return json.Take();
}

void WritePrice(JsonObject& json, absl::string_view name, engine::Price price,
                const MarketDefinition* market) {
  WriteUnits(json, name, FieldType::kPrice, static_cast<uint64_t>(price.units()), market);
}

void WriteQuantity(JsonObject& json, absl::string_view name, engine::Quantity quantity,
                   const MarketDefinition* market) {
  WriteUnits(json, name, FieldType::kQuantity, quantity.units(), market);
}

bool IsAlwaysThere(const engine::Command& command, const engine::Field& field) {
  switch (field.type) {
    case FieldType::kMarket:  // That of a definition is its id.
      return command.kind == engine::CommandKind::kDefineMarket;
    case FieldType::kOrderType:
    case FieldType::kTimeInForce:
      return command.kind == engine::CommandKind::kNewOrder;
    case FieldType::kCommandKind:
      return true;
    default:
      return field.name == "time" || field.name == "sequence";
  }
}

void WriteCommand(JsonObject& json, const engine::Command& command, engine::Bytes attachment,
                  const engine::MarketDirectory& markets) {
  const MarketDefinition* market = markets.Find(command.market);
  for (const engine::Field& field : engine::FieldsOf(command)) {
    const uint64_t bits = field.Get(command);
    if (bits != 0 || IsAlwaysThere(command, field)) WriteField(json, field, bits, market);
  }
  if (!attachment.empty() && !WriteKnown(json, command.kind, attachment)) {
    json.Field("attachment", engine::ToHex(attachment));
  }
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
  JsonObject json("ticktape.row/1");
  WriteRow(json, record, vocabulary);
  return json.Take();
}

std::string OutputJson(const replay::Output& output, engine::Timestamp time,
                       const replay::Vocabulary& vocabulary) {
  JsonObject json("ticktape.output/1");
  WriteOutput(json, output, time, vocabulary);
  return json.Take();
}

}  // namespace tools
