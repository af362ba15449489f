#include "engine/messages/text_fields.h"

#include <algorithm>

#include "engine/base/integer_text.h"
#include "engine/types/decimal.h"

namespace engine {
namespace {

// Parses '#' and a count of units, or a decimal number if the market is known.
template <typename Value, typename ParseDecimal>
absl::Status ParseUnits(absl::string_view name, absl::string_view text,
                        const MarketDefinition* market, ParseDecimal parse, Value& value) {
  if (!text.empty() && text.front() == '#') {
    decltype(value.units()) units = 0;
    if (!ParseInteger(text.substr(1), units)) {
      return RefuseText(name, "=", text, " is not a whole number of units in range");
    }
    value = Value::FromUnits(units);
    return absl::OkStatus();
  }
  if (market == nullptr) {
    return RefuseText(name, "=", text, " needs a known market, or a number of units such as #100");
  }
  const absl::StatusOr<Value> parsed = parse(text, *market);
  if (!parsed.ok()) return RefuseText(name, "=", parsed.status().message());
  value = *parsed;
  return absl::OkStatus();
}

}  // namespace

absl::Status FieldWriter::PriceField(absl::string_view name, Price price) {
  if (price == Price()) return absl::OkStatus();
  Field(name, market_ != nullptr ? FormatPrice(price, market_->price_decimals)
                                 : absl::StrCat("#", price.units()));
  return absl::OkStatus();
}

absl::Status FieldWriter::QuantityField(absl::string_view name, Quantity quantity) {
  if (quantity.is_zero()) return absl::OkStatus();
  Field(name, market_ != nullptr ? FormatQuantity(quantity, market_->quantity_decimals)
                                 : absl::StrCat("#", quantity.units()));
  return absl::OkStatus();
}

absl::Status FieldWriter::PositionField(absl::string_view name, Price position) {
  if (position == Price()) return absl::OkStatus();
  Field(name, market_ != nullptr ? FormatPrice(position, market_->quantity_decimals)
                                 : absl::StrCat("#", position.units()));
  return absl::OkStatus();
}

absl::Status FieldWriter::MoneyField(absl::string_view name, Money money) {
  if (money != Money()) Field(name, money.ToString());
  return absl::OkStatus();
}

absl::Status FieldWriter::TimeField(absl::string_view name, Timestamp time) {
  if (time != Timestamp()) Field(name, time.ToString());
  return absl::OkStatus();
}

absl::StatusOr<FieldReader> FieldReader::Split(absl::Span<const absl::string_view> words) {
  FieldReader reader;
  for (const absl::string_view word : words) {
    const auto equals = word.find('=');
    if (equals == absl::string_view::npos || equals == 0) {
      return RefuseText("'", word, "' is not a field; expected name=value");
    }
    const absl::string_view name = word.substr(0, equals);
    for (const auto& field : reader.fields_) {
      if (field.first == name) return RefuseText("field '", name, "' stands twice");
    }
    reader.fields_.emplace_back(name, word.substr(equals + 1));
  }
  return reader;
}

bool FieldReader::Take(absl::string_view name, absl::string_view& value) {
  const auto field = std::find_if(fields_.begin(), fields_.end(), [name](const auto& candidate) {
    return candidate.first == name;
  });
  if (field == fields_.end()) return false;
  value = field->second;
  fields_.erase(field);
  return true;
}

absl::Status FieldReader::PriceField(absl::string_view name, Price& price) {
  absl::string_view text;
  if (!Take(name, text)) return absl::OkStatus();
  return ParseUnits(
      name, text, market_,
      [](absl::string_view number, const MarketDefinition& market) {
        return ParsePrice(number, market.price_decimals);
      },
      price);
}

absl::Status FieldReader::QuantityField(absl::string_view name, Quantity& quantity) {
  absl::string_view text;
  if (!Take(name, text)) return absl::OkStatus();
  return ParseUnits(
      name, text, market_,
      [](absl::string_view number, const MarketDefinition& market) {
        return ParseQuantity(number, market.quantity_decimals);
      },
      quantity);
}

absl::Status FieldReader::PositionField(absl::string_view name, Price& position) {
  absl::string_view text;
  if (!Take(name, text)) return absl::OkStatus();
  return ParseUnits(
      name, text, market_,
      [](absl::string_view number, const MarketDefinition& market) {
        return ParsePrice(number, market.quantity_decimals);
      },
      position);
}

absl::Status FieldReader::CountField(absl::string_view name, Quantity& count) {
  uint64_t value = count.units();
  RETURN_IF_ERROR(Number(name, value));
  count = Quantity::FromUnits(value);
  return absl::OkStatus();
}

absl::Status FieldReader::Flag(absl::string_view name, bool& value) {
  absl::string_view text;
  if (!Take(name, text)) return absl::OkStatus();
  if (text != "0" && text != "1") return RefuseText(name, "=", text, " is neither 0 nor 1");
  value = text == "1";
  return absl::OkStatus();
}

absl::Status FieldReader::MoneyField(absl::string_view name, Money& money) {
  absl::string_view text;
  if (!Take(name, text)) return absl::OkStatus();
  const absl::StatusOr<Money> parsed = Money::Parse(text);
  if (!parsed.ok()) return RefuseText(name, "=", parsed.status().message());
  money = *parsed;
  return absl::OkStatus();
}

absl::Status FieldReader::TimeField(absl::string_view name, Timestamp& time) {
  absl::string_view text;
  if (!Take(name, text)) return absl::OkStatus();
  const absl::StatusOr<Timestamp> parsed = Timestamp::Parse(text);
  if (!parsed.ok()) return RefuseText(name, "=", parsed.status().message());
  time = *parsed;
  return absl::OkStatus();
}

absl::Status FieldReader::Finish(absl::string_view verb) const {
  if (fields_.empty()) return absl::OkStatus();
  return RefuseText("'", verb, "' has no field '", fields_.front().first, "'");
}

}  // namespace engine
