#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "engine/messages/account_codecs.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/names.h"
#include "engine/messages/note_codec.h"
#include "engine/types/decimal.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/note.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/risk_limits.h"
#include "tools/cli/record/command_lines.h"

namespace tools {
namespace {

// Numbers stay text, so that none is rounded; parsing is iterative, so that nesting cannot exhaust
// the stack.
constexpr unsigned kParseFlags =
    rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseIterativeFlag;

absl::string_view TextOf(const rapidjson::Value& value) {
  return {value.GetString(), value.GetStringLength()};
}

// An object within a command: "definition", "limits", "fees" or "note". The first error is kept,
// and nothing is read after it.
class Part {
 public:
  Part(absl::string_view name, const rapidjson::Value& object) : name_(name), object_(object) {}

  // Returns an empty string if the member is missing.
  std::string Text(const std::string& field) {
    asked_.push_back(field);
    const auto found = object_.FindMember(field.c_str());
    if (!status_.ok() || found == object_.MemberEnd()) return "";
    if (found->value.IsString()) return std::string(TextOf(found->value));
    Refuse(field, "", "a number or a text");
    return "";
  }

  template <typename Int>
  void Number(const std::string& field, Int& into) {
    const std::string text = Text(field);
    if (text.empty()) return;
    Int value = 0;
    if (text.front() == '-' || !engine::ParseInteger(text, value)) {
      return Refuse(field, text, "a whole number that fits");
    }
    into = value;
  }

  void Flag(const std::string& field, bool& into) {
    uint8_t flag = 0;
    Number(field, flag);
    into = flag != 0;
  }

  // Reads a decimal number, or FIELD_units.
  void Price(const std::string& field, int decimals, engine::Price& into) {
    const std::string units = Text(field + "_units");
    const std::string text = Text(field);
    if (text.empty() && units.empty()) return;
    const auto price =
        text.empty() ? engine::ParsePrice(units, 0) : engine::ParsePrice(text, decimals);
    if (!price.ok()) return Refuse(field, text.empty() ? units : text, "a price");
    into = *price;
  }

  void Quantity(const std::string& field, int decimals, engine::Quantity& into) {
    engine::Price wide = engine::Price::FromUnits(static_cast<int64_t>(into.units()));
    Price(field, decimals, wide);
    if (wide < engine::Price()) return Refuse(field, "below zero", "a quantity");
    into = engine::Quantity::FromUnits(static_cast<uint64_t>(wide.units()));
  }

  void Refuse(absl::string_view field, absl::string_view text, absl::string_view expected) {
    if (status_.ok()) status_ = FieldError(absl::StrCat(name_, ".", field), text, expected);
  }

  // Returns the first error. Members that were not read are errors, too.
  absl::Status Finish() {
    for (const auto& member : object_.GetObject()) {
      const std::string name(TextOf(member.name));
      if (std::ranges::count(asked_, name) == 0) {
        Refuse(name, "", absl::StrCat("a field of ", name_));
      }
    }
    return status_;
  }

 private:
  const absl::string_view name_;
  const rapidjson::Value& object_;
  std::vector<std::string> asked_;
  absl::Status status_;
};

using Encoded = absl::StatusOr<std::vector<std::byte>>;

// "0.01:0.01,0.10:0.05".
void TakeBands(Part& part, engine::MarketDefinition& definition) {
  const std::string text = part.Text("bands");
  if (text.empty()) return;
  for (const absl::string_view band : absl::StrSplit(text, ',')) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(band, absl::MaxSplits(':', 1));
    const auto from = engine::ParsePrice(parts.first, definition.price_decimals);
    const auto tick = engine::ParsePrice(parts.second, definition.price_decimals);
    if (!from.ok() || !tick.ok()) return part.Refuse("bands", text, "FROM:TICK,FROM:TICK,...");
    definition.bands.push_back({.from = *from, .tick = *tick});
  }
}

Encoded EncodeDefinition(Part& part) {
  engine::MarketDefinition market;
  uint32_t id = 0;
  part.Number("id", id);
  market.id = engine::MarketId(id);
  market.symbol = part.Text("symbol");
  for (const auto& [field, into] : {std::pair("price_decimals", &market.price_decimals),
                                    std::pair("quantity_decimals", &market.quantity_decimals)}) {
    part.Number(field, *into);
    if (*into > engine::kDecimalsMax) part.Refuse(field, absl::StrCat(*into), "0 to 9");
  }
  part.Price("tick", market.price_decimals, market.tick);
  part.Price("price_min", market.price_decimals, market.price_min);
  part.Price("price_max", market.price_decimals, market.price_max);
  part.Quantity("lot", market.quantity_decimals, market.lot);
  part.Quantity("quantity_min", market.quantity_decimals, market.quantity_min);
  part.Quantity("quantity_max", market.quantity_decimals, market.quantity_max);
  const std::string kind = part.Text("kind");
  if (!kind.empty() && !engine::ParseName(kind, market.kind)) {
    part.Refuse("kind", kind, "equity or binary");
  }
  part.Flag("unopened", market.starts_unopened);
  part.Flag("fok_becomes_ioc", market.fok_becomes_ioc);
  part.Flag("post_only_change_cancels", market.post_only_change_cancels);
  TakeBands(part, market);
  RETURN_IF_ERROR(part.Finish());
  if (const absl::Status sound = engine::Validate(market); !sound.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("definition: ", sound.message()));
  }
  return engine::EncodeMarketDefinition(market);
}

Encoded EncodeLimits(Part& part) {
  engine::RiskLimits limits;
  uint64_t quantity = 0;
  part.Number("open_orders_max", limits.open_orders_max);
  part.Number("order_quantity_max_units", quantity);
  limits.order_quantity_max = engine::Quantity::FromUnits(quantity);
  if (const std::string notional = part.Text("order_notional_max"); !notional.empty()) {
    const auto money = engine::Money::Parse(notional);
    if (!money.ok()) part.Refuse("order_notional_max", notional, "dollars");
    limits.order_notional_max = money.value_or(engine::Money());
  }
  part.Number("orders_per_second_max", limits.orders_per_second_max);
  RETURN_IF_ERROR(part.Finish());
  return engine::EncodeRiskLimits(limits);
}

Encoded EncodeFees(Part& part) {
  engine::FeeSchedule fees;
  part.Number("taker_coefficient", fees.taker_coefficient);
  part.Number("maker_coefficient", fees.maker_coefficient);
  part.Number("multiplier", fees.multiplier);
  RETURN_IF_ERROR(part.Finish());
  return engine::EncodeFeeSchedule(fees);
}

Encoded EncodeNoteOf(Part& part) {
  engine::Note note;
  note.name_space = part.Text("namespace");
  part.Number("version", note.version);
  const std::string bytes = part.Text("bytes");
  RETURN_IF_ERROR(part.Finish());
  ASSIGN_OR_RETURN(note.bytes, ParseHexField("note.bytes", bytes));
  return engine::EncodeNote(note);
}

Encoded EncodePart(const std::string& name, const rapidjson::Value& object) {
  Part part(name, object);
  if (name == "definition") return EncodeDefinition(part);
  if (name == "limits") return EncodeLimits(part);
  if (name == "fees") return EncodeFees(part);
  if (name == "note") return EncodeNoteOf(part);
  return FieldError(name, "{...}", "a number or a text");
}

absl::StatusOr<std::optional<engine::ParsedCommand>> ParseLine(
    absl::string_view line, const engine::MarketDirectory& markets) {
  if (line.empty()) return std::nullopt;
  rapidjson::Document document;
  document.Parse<kParseFlags>(line.data(), line.size());
  if (document.HasParseError()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "column ", document.GetErrorOffset() + 1, ": ",
        rapidjson::GetParseError_En(document.GetParseError()), " Expected one JSON object"));
  }
  if (!document.IsObject()) {
    return absl::InvalidArgumentError("the line is not a JSON object, expected {...}");
  }
  NamedFields fields;
  std::vector<std::byte> attachment;
  const rapidjson::Value& object = document;
  for (const auto& member : object.GetObject()) {
    std::string name(TextOf(member.name));
    if (member.value.IsObject()) {
      ASSIGN_OR_RETURN(attachment, EncodePart(name, member.value));
    } else if (member.value.IsString()) {
      if (name == "schema" && TextOf(member.value) != "ticktape.command/1") {
        return FieldError(name, TextOf(member.value), "ticktape.command/1");
      }
      fields.emplace_back(std::move(name), TextOf(member.value));
    } else {
      return FieldError(name, "", "a number or a text");
    }
  }
  ASSIGN_OR_RETURN(engine::ParsedCommand parsed, ParseCommandFields(fields, markets));
  // Attachment bytes, if given, take precedence over the values.
  if (parsed.attachment.empty()) parsed.attachment = std::move(attachment);
  return parsed;
}

}  // namespace

CommandLines MakeJsonLines() { return ParseLine; }

}  // namespace tools
