#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
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
#include "engine/types/decimal.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
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

// An object within a command: "definition", "limits" or "fees". Members that were not read are
// errors.
class Part {
 public:
  Part(absl::string_view name, const rapidjson::Value& object) : name_(name), object_(object) {}

  // Returns an empty string if the member is missing.
  absl::StatusOr<std::string> Text(const std::string& field) {
    asked_.push_back(field);
    const auto found = object_.FindMember(field.c_str());
    if (found == object_.MemberEnd()) return std::string();
    if (found->value.IsString()) return std::string(TextOf(found->value));
    return FieldError(PathOf(field), "", "a number or a text");
  }

  template <typename Int>
  absl::Status Number(const std::string& field, Int& into) {
    ASSIGN_OR_RETURN(const std::string text, Text(field));
    if (text.empty()) return absl::OkStatus();
    Int value = 0;
    if (text.front() != '-' && engine::ParseInteger(text, value)) {
      into = value;
      return absl::OkStatus();
    }
    return FieldError(PathOf(field), text, "a whole number that fits");
  }

  // Reads a decimal number, or FIELD_units.
  absl::Status Price(const std::string& field, int decimals, engine::Price& into) {
    ASSIGN_OR_RETURN(const std::string units, Text(field + "_units"));
    ASSIGN_OR_RETURN(const std::string text, Text(field));
    if (text.empty() && units.empty()) return absl::OkStatus();
    const auto price =
        text.empty() ? engine::ParsePrice(units, 0) : engine::ParsePrice(text, decimals);
    if (!price.ok()) return FieldError(PathOf(field), text.empty() ? units : text, "a price");
    into = *price;
    return absl::OkStatus();
  }

  absl::Status Quantity(const std::string& field, int decimals, engine::Quantity& into) {
    engine::Price wide = engine::Price::FromUnits(static_cast<int64_t>(into.units()));
    RETURN_IF_ERROR(Price(field, decimals, wide));
    if (wide < engine::Price()) return FieldError(PathOf(field), "below zero", "a quantity");
    into = engine::Quantity::FromUnits(static_cast<uint64_t>(wide.units()));
    return absl::OkStatus();
  }

  absl::Status CheckAllAsked() const {
    for (const auto& member : object_.GetObject()) {
      const std::string name(TextOf(member.name));
      if (std::find(asked_.begin(), asked_.end(), name) == asked_.end()) {
        return FieldError(PathOf(name), "", absl::StrCat("a field of ", name_));
      }
    }
    return absl::OkStatus();
  }

  std::string PathOf(absl::string_view field) const { return absl::StrCat(name_, ".", field); }

 private:
  const absl::string_view name_;
  const rapidjson::Value& object_;
  std::vector<std::string> asked_;
};

using Encoded = absl::StatusOr<std::vector<std::byte>>;

// "0.01:0.01,0.10:0.05".
absl::Status TakeBands(const std::string& text, engine::MarketDefinition& definition) {
  if (text.empty()) return absl::OkStatus();
  for (const absl::string_view band : absl::StrSplit(text, ',')) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(band, absl::MaxSplits(':', 1));
    const auto from = engine::ParsePrice(parts.first, definition.price_decimals);
    const auto tick = engine::ParsePrice(parts.second, definition.price_decimals);
    if (!from.ok() || !tick.ok()) {
      return FieldError("definition.bands", text, "FROM:TICK,FROM:TICK,...");
    }
    definition.bands.push_back({.from = *from, .tick = *tick});
  }
  return absl::OkStatus();
}

Encoded EncodeDefinition(const rapidjson::Value& object) {
  Part part("definition", object);
  engine::MarketDefinition market;
  uint32_t id = 0;
  RETURN_IF_ERROR(part.Number("id", id));
  market.id = engine::MarketId(id);
  ASSIGN_OR_RETURN(market.symbol, part.Text("symbol"));
  for (const auto& [field, into] : {std::pair("price_decimals", &market.price_decimals),
                                    std::pair("quantity_decimals", &market.quantity_decimals)}) {
    RETURN_IF_ERROR(part.Number(field, *into));
    if (*into > engine::kDecimalsMax) {
      return FieldError(part.PathOf(field), absl::StrCat(*into), "0 to 9");
    }
  }
  const int decimals = market.price_decimals;
  RETURN_IF_ERROR(part.Price("tick", decimals, market.tick));
  RETURN_IF_ERROR(part.Price("price_min", decimals, market.price_min));
  RETURN_IF_ERROR(part.Price("price_max", decimals, market.price_max));
  RETURN_IF_ERROR(part.Quantity("lot", market.quantity_decimals, market.lot));
  RETURN_IF_ERROR(part.Quantity("quantity_min", market.quantity_decimals, market.quantity_min));
  RETURN_IF_ERROR(part.Quantity("quantity_max", market.quantity_decimals, market.quantity_max));
  ASSIGN_OR_RETURN(const std::string kind, part.Text("kind"));
  if (!kind.empty() && !engine::ParseName(kind, market.kind)) {
    return FieldError("definition.kind", kind, "equity or binary");
  }
  for (const auto& [field, into] :
       {std::pair("unopened", &market.starts_unopened),
        std::pair("fok_becomes_ioc", &market.fok_becomes_ioc),
        std::pair("post_only_change_cancels", &market.post_only_change_cancels)}) {
    uint8_t flag = 0;
    RETURN_IF_ERROR(part.Number(field, flag));
    *into = flag != 0;
  }
  ASSIGN_OR_RETURN(const std::string bands, part.Text("bands"));
  RETURN_IF_ERROR(TakeBands(bands, market));
  RETURN_IF_ERROR(part.CheckAllAsked());
  if (const absl::Status sound = engine::Validate(market); !sound.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("definition: ", sound.message()));
  }
  return engine::EncodeMarketDefinition(market);
}

Encoded EncodeLimits(const rapidjson::Value& object) {
  Part part("limits", object);
  engine::RiskLimits limits;
  uint64_t quantity = 0;
  RETURN_IF_ERROR(part.Number("open_orders_max", limits.open_orders_max));
  RETURN_IF_ERROR(part.Number("order_quantity_max_units", quantity));
  limits.order_quantity_max = engine::Quantity::FromUnits(quantity);
  ASSIGN_OR_RETURN(const std::string notional, part.Text("order_notional_max"));
  if (!notional.empty()) {
    const auto money = engine::Money::Parse(notional);
    if (!money.ok()) return FieldError("limits.order_notional_max", notional, "dollars");
    limits.order_notional_max = *money;
  }
  RETURN_IF_ERROR(part.Number("orders_per_second_max", limits.orders_per_second_max));
  RETURN_IF_ERROR(part.CheckAllAsked());
  return engine::EncodeRiskLimits(limits);
}

Encoded EncodeFees(const rapidjson::Value& object) {
  Part part("fees", object);
  engine::FeeSchedule fees;
  RETURN_IF_ERROR(part.Number("taker_coefficient", fees.taker_coefficient));
  RETURN_IF_ERROR(part.Number("maker_coefficient", fees.maker_coefficient));
  RETURN_IF_ERROR(part.Number("multiplier", fees.multiplier));
  RETURN_IF_ERROR(part.CheckAllAsked());
  return engine::EncodeFeeSchedule(fees);
}

Encoded EncodePart(const std::string& name, const rapidjson::Value& object) {
  if (name == "definition") return EncodeDefinition(object);
  if (name == "limits") return EncodeLimits(object);
  if (name == "fees") return EncodeFees(object);
  return FieldError(name, "{...}", "a number or a text");
}

class JsonLines final : public CommandLines {
 public:
  absl::StatusOr<std::optional<ParsedCommand>> Parse(
      absl::string_view line, const engine::MarketDirectory& markets) override {
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
    ASSIGN_OR_RETURN(ParsedCommand parsed, ParseCommandFields(fields, markets));
    // Attachment bytes, if given, take precedence over the values.
    if (parsed.attachment.empty()) parsed.attachment = std::move(attachment);
    return parsed;
  }
};

}  // namespace

std::unique_ptr<CommandLines> MakeJsonLines() { return std::make_unique<JsonLines>(); }

}  // namespace tools
