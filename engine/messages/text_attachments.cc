#include "engine/messages/text_attachments.h"

#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"
#include "engine/messages/account_codecs.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/names.h"
#include "engine/messages/note_codec.h"
#include "engine/types/decimal.h"
#include "engine/types/market_definition.h"

namespace engine {
namespace {

// ---- Market definitions: limits in the market's own decimals.

void WriteDefinition(FieldWriter& line, const MarketDefinition& definition) {
  const auto price = [&](Price value) { return FormatPrice(value, definition.price_decimals); };
  const auto quantity = [&](Quantity value) {
    return FormatQuantity(value, definition.quantity_decimals);
  };
  line.Field("symbol", definition.symbol);
  if (definition.kind != MarketKind::kEquity) line.Field("kind", NameOf(definition.kind));
  line.Field("price_decimals", absl::StrCat(definition.price_decimals));
  line.Field("quantity_decimals", absl::StrCat(definition.quantity_decimals));
  line.Field("tick", price(definition.tick));
  line.Field("price_min", price(definition.price_min));
  line.Field("price_max", price(definition.price_max));
  line.Field("lot", quantity(definition.lot));
  if (!definition.quantity_min.is_zero())
    line.Field("quantity_min", quantity(definition.quantity_min));
  if (!definition.quantity_max.is_zero())
    line.Field("quantity_max", quantity(definition.quantity_max));
  if (definition.starts_unopened) line.Field("unopened", "1");
  if (definition.fok_becomes_ioc) line.Field("fok_becomes_ioc", "1");
  if (definition.post_only_change_cancels) line.Field("post_only_change_cancels", "1");
  if (definition.mirrored) line.Field("mirrored", "1");
  std::string bands;
  for (const TickBand& band : definition.bands) {
    absl::StrAppend(&bands, bands.empty() ? "" : ",", price(band.from), ":", price(band.tick));
  }
  if (!bands.empty()) line.Field("bands", bands);
}

absl::Status TakeBands(FieldReader& line, MarketDefinition& definition) {
  absl::string_view text;
  if (!line.Take("bands", text)) return absl::OkStatus();
  for (const absl::string_view word : absl::StrSplit(text, ',')) {
    const std::pair<absl::string_view, absl::string_view> ends =
        absl::StrSplit(word, absl::MaxSplits(':', 1));
    const auto from = ParsePrice(ends.first, definition.price_decimals);
    const auto tick = ParsePrice(ends.second, definition.price_decimals);
    if (!from.ok() || !tick.ok()) {
      return RefuseText("bands=", text, " is not a list of from:tick, such as 0.01:0.01,0.90:0.05");
    }
    definition.bands.push_back({*from, *tick});
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::byte>> TakeDefinition(FieldReader& line, MarketId id) {
  MarketDefinition definition;
  definition.id = id;
  absl::string_view symbol;
  if (!line.Take("symbol", symbol)) return RefuseText("'define_market' needs symbol=");
  definition.symbol = std::string(symbol);
  RETURN_IF_ERROR(line.Number("price_decimals", definition.price_decimals));
  RETURN_IF_ERROR(line.Number("quantity_decimals", definition.quantity_decimals));
  // The limits are read with the decimals of the same line, so these must be valid first.
  RETURN_IF_ERROR(Validate(definition));
  RETURN_IF_ERROR(line.Value("kind", FieldType::kMarketKind, definition.kind));
  line.SetMarket(&definition);
  RETURN_IF_ERROR(line.Value("tick", FieldType::kPrice, definition.tick));
  RETURN_IF_ERROR(line.Value("price_min", FieldType::kPrice, definition.price_min));
  RETURN_IF_ERROR(line.Value("price_max", FieldType::kPrice, definition.price_max));
  RETURN_IF_ERROR(line.Value("lot", FieldType::kQuantity, definition.lot));
  RETURN_IF_ERROR(line.Value("quantity_min", FieldType::kQuantity, definition.quantity_min));
  RETURN_IF_ERROR(line.Value("quantity_max", FieldType::kQuantity, definition.quantity_max));
  line.SetMarket(nullptr);
  RETURN_IF_ERROR(line.Flag("unopened", definition.starts_unopened));
  RETURN_IF_ERROR(line.Flag("fok_becomes_ioc", definition.fok_becomes_ioc));
  RETURN_IF_ERROR(line.Flag("post_only_change_cancels", definition.post_only_change_cancels));
  RETURN_IF_ERROR(line.Flag("mirrored", definition.mirrored));
  RETURN_IF_ERROR(TakeBands(line, definition));
  RETURN_IF_ERROR(Validate(definition));
  return EncodeMarketDefinition(definition);
}

// ---- Risk limits and fees.

// One function writes and reads the fields of each.

template <typename Line>
absl::Status LimitsFields(Line& line, RiskLimits& limits) {
  RETURN_IF_ERROR(line.Number("open_orders_max", limits.open_orders_max));
  RETURN_IF_ERROR(line.Value("order_quantity_max", FieldType::kNumber, limits.order_quantity_max));
  RETURN_IF_ERROR(line.Value("order_notional_max", FieldType::kMoney, limits.order_notional_max));
  return line.Number("orders_per_second_max", limits.orders_per_second_max);
}

template <typename Line>
absl::Status FeesFields(Line& line, FeeSchedule& fees) {
  RETURN_IF_ERROR(line.Number("taker_coefficient", fees.taker_coefficient));
  RETURN_IF_ERROR(line.Number("maker_coefficient", fees.maker_coefficient));
  return line.Number("multiplier", fees.multiplier);
}

// ---- Notes: their bytes are hexadecimal, so that any are safe to print.

void WriteNote(FieldWriter& line, const Note& note) {
  line.Field("namespace", note.name_space);
  line.Field("version", absl::StrCat(note.version));
  if (!note.bytes.empty()) line.Field("bytes", ToHex(note.bytes));
}

// The bytes that the field `name` holds in hexadecimal.
absl::StatusOr<std::vector<std::byte>> ParseHex(absl::string_view name, absl::string_view hex) {
  if (hex.size() % 2 != 0 || !absl::c_all_of(hex, absl::ascii_isxdigit)) {
    return RefuseText(name, "=", hex, " is not hexadecimal");
  }
  const std::string bytes = absl::HexStringToBytes(hex);
  return std::vector<std::byte>(AsBytes(bytes).begin(), AsBytes(bytes).end());
}

// The note may be unsound, as any command: the exchange refuses it.
absl::StatusOr<std::vector<std::byte>> TakeNote(FieldReader& line) {
  Note note;
  absl::string_view text;
  if (line.Take("namespace", text)) note.name_space = std::string(text);
  RETURN_IF_ERROR(line.Number("version", note.version));
  if (line.Take("bytes", text)) {
    ASSIGN_OR_RETURN(note.bytes, ParseHex("bytes", text));
  }
  return EncodeNote(note);
}

// Writes the fields and returns true if they are lossless: encoding the decoded value yields the
// same bytes.
bool WriteKnown(FieldWriter& line, const Command& command, Bytes attachment) {
  const auto is_same = [&](const std::vector<std::byte>& encoded) {
    return absl::c_equal(encoded, attachment);
  };
  switch (command.kind) {
    case CommandKind::kDefineMarket: {
      const auto definition = DecodeMarketDefinition(attachment);
      if (!definition.ok() || definition->id != command.market ||
          !is_same(EncodeMarketDefinition(*definition))) {
        return false;
      }
      WriteDefinition(line, *definition);
      return true;
    }
    case CommandKind::kSetRiskLimits: {
      auto limits = DecodeRiskLimits(attachment);
      return limits.ok() && is_same(EncodeRiskLimits(*limits)) && LimitsFields(line, *limits).ok();
    }
    case CommandKind::kSetFees: {
      auto fees = DecodeFeeSchedule(attachment);
      return fees.ok() && is_same(EncodeFeeSchedule(*fees)) && FeesFields(line, *fees).ok();
    }
    case CommandKind::kNote: {
      const auto note = DecodeNote(attachment);
      if (note.ok()) WriteNote(line, *note);
      return note.ok();
    }
    default:
      return false;
  }
}

}  // namespace

void WriteAttachment(FieldWriter& line, const Command& command, Bytes attachment) {
  const bool expected = command.kind == CommandKind::kDefineMarket ||
                        command.kind == CommandKind::kSetRiskLimits ||
                        command.kind == CommandKind::kSetFees || command.kind == CommandKind::kNote;
  if (attachment.empty() && !expected) return;
  if (!WriteKnown(line, command, attachment)) line.Field("attachment", ToHex(attachment));
}

absl::StatusOr<std::vector<std::byte>> TakeAttachment(FieldReader& line, const Command& command) {
  absl::string_view hex;
  if (line.Take("attachment", hex)) return ParseHex("attachment", hex);
  switch (command.kind) {
    case CommandKind::kDefineMarket:
      return TakeDefinition(line, command.market);
    case CommandKind::kSetRiskLimits: {
      RiskLimits limits;
      RETURN_IF_ERROR(LimitsFields(line, limits));
      return EncodeRiskLimits(limits);
    }
    case CommandKind::kSetFees: {
      FeeSchedule fees;
      fees.multiplier = 0;  // Omitted if zero, as any field.
      RETURN_IF_ERROR(FeesFields(line, fees));
      return EncodeFeeSchedule(fees);
    }
    case CommandKind::kNote:
      return TakeNote(line);
    default:
      return std::vector<std::byte>();
  }
}

}  // namespace engine
