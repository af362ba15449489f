// Writes and reads the fields of a line of the text form: name=value, one by one.
//
//   7.0 accepted order=7 side=bid market=AAPL price=320.1400 quantity=100
//       ───┬──── ──────────────────────┬─────────────────────────────────
//        verb                        fields

#ifndef ENGINE_MESSAGES_TEXT_FIELDS_H_
#define ENGINE_MESSAGES_TEXT_FIELDS_H_

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/messages/names.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"

namespace engine {

template <typename... What>
absl::Status RefuseText(const What&... what) {
  return absl::InvalidArgumentError(absl::StrCat(what...));
}

// Builds one line, field by field, and omits fields that are zero.
//
// Methods that FieldReader also has return OK, so that one function can write and read a line.
class FieldWriter {
 public:
  // `market` defines the decimals of prices and quantities; null if it is unknown.
  FieldWriter(std::string verb, const MarketDefinition* market)
      : line_(std::move(verb)), market_(market) {}

  void Field(absl::string_view name, absl::string_view value) {
    absl::StrAppend(&line_, " ", name, "=", value);
  }
  absl::Status Number(absl::string_view name, uint64_t value) {
    if (value != 0) Field(name, absl::StrCat(value));
    return absl::OkStatus();
  }
  template <typename Id>
  absl::Status Identifier(absl::string_view name, Id id) {
    return Number(name, id.value());
  }
  template <typename Enum>
  absl::Status Enumerator(absl::string_view name, Enum value, Enum unsaid = {}) {
    if (value != unsaid) Field(name, NameOf(value));
    return absl::OkStatus();
  }
  absl::Status Flag(absl::string_view name, bool value) { return Number(name, value ? 1 : 0); }
  absl::Status PriceField(absl::string_view name, Price price);
  absl::Status QuantityField(absl::string_view name, Quantity quantity);
  // A signed quantity, and a count of something other than quantity units.
  absl::Status PositionField(absl::string_view name, Price position);
  absl::Status CountField(absl::string_view name, Quantity count) {
    return Number(name, count.units());
  }
  absl::Status MoneyField(absl::string_view name, Money money);
  absl::Status TimeField(absl::string_view name, Timestamp time);

  // What MarketHere() writes. It writes nothing if this is not set.
  void SetMarketText(std::string text) { market_text_ = std::move(text); }
  void MarketHere() {
    if (!market_text_.empty()) Field("market", market_text_);
  }

  std::string Take() { return std::move(line_); }

 private:
  std::string line_;
  std::string market_text_;
  const MarketDefinition* market_;
};

// The fields of a line, each taken at most once. If a field is absent, its value is unchanged.
// Holds views of the line. Errors: INVALID_ARGUMENT that names the field.
class FieldReader {
 public:
  static absl::StatusOr<FieldReader> Split(absl::Span<const absl::string_view> words);

  // The market whose decimals the following prices and quantities have; null if it is unknown.
  void SetMarket(const MarketDefinition* market) { market_ = market; }

  // Does nothing: the market is taken before all other fields, because their decimals depend on it.
  void MarketHere() {}

  // Takes the field if it is present.
  bool Take(absl::string_view name, absl::string_view& value);

  template <typename Int>
  absl::Status Number(absl::string_view name, Int& value) {
    absl::string_view text;
    if (Take(name, text) && !ParseInteger(text, value)) {
      return RefuseText(name, "=", text, " is not a whole number in range");
    }
    return absl::OkStatus();
  }
  template <typename Id>
  absl::Status Identifier(absl::string_view name, Id& id) {
    uint64_t value = id.value();
    RETURN_IF_ERROR(Number(name, value));
    if (value > std::numeric_limits<decltype(id.value())>::max()) {
      return RefuseText(name, "=", value, " is not a whole number in range");
    }
    id = Id(static_cast<decltype(id.value())>(value));
    return absl::OkStatus();
  }
  // `unsaid` is the value of an absent field.
  template <typename Enum>
  absl::Status Enumerator(absl::string_view name, Enum& value, Enum unsaid = {}) {
    value = unsaid;
    absl::string_view text;
    if (Take(name, text) && !ParseName(text, value)) {
      return RefuseText(name, "=", text, " is not one of its names");
    }
    return absl::OkStatus();
  }
  // 1 or 0.
  absl::Status Flag(absl::string_view name, bool& value);
  absl::Status PriceField(absl::string_view name, Price& price);
  absl::Status QuantityField(absl::string_view name, Quantity& quantity);
  absl::Status PositionField(absl::string_view name, Price& position);
  absl::Status CountField(absl::string_view name, Quantity& count);
  absl::Status MoneyField(absl::string_view name, Money& money);
  absl::Status TimeField(absl::string_view name, Timestamp& time);

  // Refuses fields that were not taken: this kind of line does not have them.
  absl::Status Finish(absl::string_view verb) const;

 private:
  std::vector<std::pair<absl::string_view, absl::string_view>> fields_;
  const MarketDefinition* market_ = nullptr;
};

}  // namespace engine

#endif  // ENGINE_MESSAGES_TEXT_FIELDS_H_
