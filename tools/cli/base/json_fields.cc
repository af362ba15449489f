#include "tools/cli/base/json_fields.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "engine/base/status_macros.h"
#include "engine/messages/names.h"
#include "engine/types/decimal.h"
#include "engine/types/ids.h"
#include "engine/types/money.h"
#include "tools/cli/base/field_error.h"

namespace tools {
namespace {

absl::string_view TextOf(const rapidjson::Value& value) {
  return {value.GetString(), value.GetStringLength()};
}

std::string Quoted(absl::string_view text) {
  constexpr size_t kShownMax = 80;
  return absl::StrCat("'", text.substr(0, kShownMax), text.size() > kShownMax ? "…" : "", "'");
}

std::string Described(const rapidjson::Value& value) {
  switch (value.GetType()) {
    case rapidjson::kNullType:
      return "null";
    case rapidjson::kFalseType:
      return "false";
    case rapidjson::kTrueType:
      return "true";
    case rapidjson::kObjectType:
      return "an object";
    case rapidjson::kArrayType:
      return "a list";
    default:
      return Quoted(TextOf(value));
  }
}

}  // namespace

const rapidjson::Value::Member* JsonFields::Find(absl::string_view field) const {
  for (const auto& member : object_.GetObject()) {
    if (TextOf(member.name) == field) return &member;
  }
  return nullptr;
}

std::string JsonFields::PathOf(absl::string_view field) const {
  return path_.empty() ? std::string(field) : absl::StrCat(path_, ".", field);
}

// A value of one word, and the beginning of a nested one, are where their name is.
const char* JsonFields::PlaceOf(absl::string_view field) const {
  const auto* member = Find(field);
  if (member == nullptr) return place_;
  return member->value.IsString() ? member->value.GetString() : member->name.GetString();
}

void JsonFields::Require(const std::string& field, absl::string_view expected) {
  if (!Has(field)) Refuse(field, "", expected);
}

std::string JsonFields::Text(const std::string& field) {
  asked_.push_back(field);
  const auto* found = Find(field);
  if (!status_.ok() || found == nullptr) return "";
  if (found->value.IsString()) return std::string(TextOf(found->value));
  Refuse(field, "", "a number or a text");
  return "";
}

void JsonFields::Texts(const std::string& field, std::vector<std::string>& into) {
  asked_.push_back(field);
  const auto* found = Find(field);
  if (!status_.ok() || found == nullptr) return;
  if (!found->value.IsArray()) return Refuse(field, "", "a list [...]");
  into.clear();
  for (const rapidjson::Value& element : found->value.GetArray()) {
    if (!element.IsString()) return Refuse(field, "", "a list of texts");
    into.emplace_back(TextOf(element));
  }
}

void JsonFields::Flag(const std::string& field, bool& into) {
  const auto* found = Find(field);
  if (found != nullptr && found->value.IsBool()) return Bool(field, into);
  uint8_t flag = into ? 1 : 0;
  Number(field, flag);
  into = flag != 0;
}

void JsonFields::Bool(const std::string& field, bool& into) {
  asked_.push_back(field);
  const auto* found = Find(field);
  if (!status_.ok() || found == nullptr) return;
  if (!found->value.IsBool()) return Refuse(field, "", "true or false");
  into = found->value.GetBool();
}

void JsonFields::Price(const std::string& field, int decimals, engine::Price& into) {
  const std::string units = Text(field + "_units");
  const std::string text = Text(field);
  if (text.empty() && units.empty()) return;
  const bool is_units = text.empty();
  const auto price = is_units ? engine::ParsePrice(units, 0) : engine::ParsePrice(text, decimals);
  if (!price.ok()) {
    return Refuse(is_units ? field + "_units" : field, is_units ? units : text, "a price");
  }
  into = *price;
}

void JsonFields::Quantity(const std::string& field, int decimals, engine::Quantity& into) {
  engine::Price wide = engine::Price::FromUnits(static_cast<int64_t>(into.units()));
  Price(field, decimals, wide);
  if (wide < engine::Price()) return Refuse(field, "below zero", "a quantity");
  into = engine::Quantity::FromUnits(static_cast<uint64_t>(wide.units()));
}

void JsonFields::Object(const std::string& field, ReadFields read) {
  asked_.push_back(field);
  const auto* found = Find(field);
  if (!status_.ok() || found == nullptr) return;
  ReadNested(PathOf(field), found->value, found->name.GetString(), read);
}

void JsonFields::Objects(const std::string& field, ReadFields read) {
  asked_.push_back(field);
  const auto* found = Find(field);
  if (!status_.ok() || found == nullptr) return;
  if (!found->value.IsArray()) return Refuse(field, "", "a list [...]");
  const char* place = found->name.GetString();
  for (rapidjson::SizeType i = 0; i < found->value.Size() && status_.ok(); ++i) {
    const rapidjson::Value& element = found->value[i];
    if (const char* own = JsonText::PlaceOf(element); own != nullptr) place = own;
    ReadNested(absl::StrCat(PathOf(field), "[", i, "]"), element, place, read);
  }
}

void JsonFields::ReadNested(const std::string& path, const rapidjson::Value& value,
                            const char* place, ReadFields read) {
  if (!value.IsObject()) {
    const std::string message =
        absl::StrCat(path, ": found ", Described(value), ", expected an object {...}");
    status_ = text_ != nullptr ? text_->Error(place, message) : absl::InvalidArgumentError(message);
    return;
  }
  JsonFields nested =
      text_ != nullptr ? JsonFields(path, value, *text_, place) : JsonFields(path, value);
  status_ = read(nested);
}

void JsonFields::Refuse(absl::string_view field, absl::string_view text,
                        absl::string_view expected) {
  if (text_ == nullptr) {
    if (status_.ok()) status_ = FieldError(PathOf(field), text, expected);
    return;
  }
  const auto* member = Find(field);
  RefuseHidden(field,
               member != nullptr ? Described(member->value)
               : text.empty()    ? "nothing"
                                 : Quoted(text),
               expected);
}

void JsonFields::RefuseHidden(absl::string_view field, absl::string_view found,
                              absl::string_view expected) {
  if (!status_.ok()) return;
  status_ = text_->Error(PlaceOf(field),
                         absl::StrCat(PathOf(field), ": found ", found, ", expected ", expected));
}

absl::Status JsonFields::Error(absl::string_view message) const {
  const std::string whole = absl::StrCat(path_, ": ", message);
  return text_ != nullptr ? text_->Error(place_, whole) : absl::InvalidArgumentError(whole);
}

// Its value may be a secret, and is not shown.
void JsonFields::RefuseMember(const rapidjson::Value::Member& member, bool is_known) {
  const absl::string_view field = TextOf(member.name);
  if (text_ == nullptr) {
    const std::string expected =
        absl::StrCat(is_known ? "one such field of " : "a field of ", path_);
    status_ = FieldError(PathOf(field), "", expected);
    return;
  }
  std::vector<std::string> known = asked_;
  std::ranges::sort(known);
  const std::string problem = is_known ? "found a second time, expected once"
                                       : absl::StrCat("found an unknown field, expected one of ",
                                                      absl::StrJoin(known, ", "));
  status_ = text_->Error(member.name.GetString(), absl::StrCat(PathOf(field), ": ", problem));
}

absl::Status JsonFields::Finish() {
  std::vector<bool> seen(asked_.size());
  for (const auto& member : object_.GetObject()) {
    if (!status_.ok()) break;
    const auto at =
        static_cast<size_t>(std::ranges::find(asked_, TextOf(member.name)) - asked_.begin());
    const bool is_known = at < asked_.size();
    if (!is_known || seen[at]) RefuseMember(member, is_known);
    if (is_known) seen[at] = true;
  }
  return status_;
}

namespace {

// "0.01:0.01,0.10:0.05".
void TakeBands(JsonFields& fields, engine::MarketDefinition& definition) {
  const std::string text = fields.Text("bands");
  if (text.empty()) return;
  for (const absl::string_view band : absl::StrSplit(text, ',')) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(band, absl::MaxSplits(':', 1));
    const auto from = engine::ParsePrice(parts.first, definition.price_decimals);
    const auto tick = engine::ParsePrice(parts.second, definition.price_decimals);
    if (!from.ok() || !tick.ok()) return fields.Refuse("bands", text, "FROM:TICK,FROM:TICK,...");
    definition.bands.push_back({.from = *from, .tick = *tick});
  }
}

}  // namespace

absl::StatusOr<engine::MarketDefinition> TakeMarketDefinition(JsonFields& fields) {
  engine::MarketDefinition market;
  uint32_t id = 0;
  fields.Number("id", id);
  market.id = engine::MarketId(id);
  market.symbol = fields.Text("symbol");
  for (const auto& [field, into] : {std::pair("price_decimals", &market.price_decimals),
                                    std::pair("quantity_decimals", &market.quantity_decimals)}) {
    fields.Number(field, *into);
    if (*into > engine::kDecimalsMax) fields.Refuse(field, absl::StrCat(*into), "0 to 9");
  }
  fields.Price("tick", market.price_decimals, market.tick);
  fields.Price("price_min", market.price_decimals, market.price_min);
  fields.Price("price_max", market.price_decimals, market.price_max);
  fields.Quantity("lot", market.quantity_decimals, market.lot);
  fields.Quantity("quantity_min", market.quantity_decimals, market.quantity_min);
  fields.Quantity("quantity_max", market.quantity_decimals, market.quantity_max);
  const std::string kind = fields.Text("kind");
  if (!kind.empty() && !engine::ParseName(kind, market.kind)) {
    fields.Refuse("kind", kind, "equity or binary");
  }
  fields.Flag("unopened", market.starts_unopened);
  fields.Flag("fok_becomes_ioc", market.fok_becomes_ioc);
  fields.Flag("post_only_change_cancels", market.post_only_change_cancels);
  fields.Flag("mirrored", market.mirrored);
  TakeBands(fields, market);
  RETURN_IF_ERROR(fields.Finish());
  if (const absl::Status sound = engine::Validate(market); !sound.ok()) {
    return fields.Error(sound.message());
  }
  return market;
}

absl::StatusOr<engine::RiskLimits> TakeRiskLimits(JsonFields& fields) {
  engine::RiskLimits limits;
  uint64_t quantity = 0;
  fields.Number("open_orders_max", limits.open_orders_max);
  fields.Number("order_quantity_max_units", quantity);
  limits.order_quantity_max = engine::Quantity::FromUnits(quantity);
  if (const std::string notional = fields.Text("order_notional_max"); !notional.empty()) {
    const auto money = engine::Money::Parse(notional);
    if (!money.ok()) fields.Refuse("order_notional_max", notional, "dollars");
    limits.order_notional_max = money.value_or(engine::Money());
  }
  fields.Number("orders_per_second_max", limits.orders_per_second_max);
  RETURN_IF_ERROR(fields.Finish());
  return limits;
}

}  // namespace tools
