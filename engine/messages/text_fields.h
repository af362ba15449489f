// Writes and reads the fields of a line of the text form: name=value, one by one.
//
//   7.0 accepted order=7 side=bid market=AAPL price=320.1400 quantity=100
//       ───┬──── ──────────────────────┬─────────────────────────────────
//        verb                        fields

#ifndef ENGINE_MESSAGES_TEXT_FIELDS_H_
#define ENGINE_MESSAGES_TEXT_FIELDS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "engine/messages/fields.h"
#include "engine/types/market_definition.h"

namespace engine {

template <typename... What>
absl::Status RefuseText(const What&... what) {
  return absl::InvalidArgumentError(absl::StrCat(what...));
}

// Returns the bytes of a value of engine/types or an enumeration as a number.
template <typename T>
uint64_t BitsOf(const T& value) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
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
  absl::Status Flag(absl::string_view name, bool value) { return Number(name, value ? 1 : 0); }
  template <typename T>
  absl::Status Value(absl::string_view name, FieldType type, T value, T absent = {}) {
    if (value != absent) Field(name, FieldText(type, BitsOf(value), market_));
    return absl::OkStatus();
  }

  // Writes the field of a message, unless its value is `absent`.
  template <typename Message>
  absl::Status Word(const engine::Field& field, const Message& message, uint64_t absent = 0) {
    const uint64_t bits = field.Get(message);
    if (bits != absent) Field(field.name, FieldText(field.type, bits, market_));
    return absl::OkStatus();
  }

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
      return RefuseText(name, "=", text, " is not a whole number from ",
                        std::numeric_limits<Int>::min(), " to ", std::numeric_limits<Int>::max());
    }
    return absl::OkStatus();
  }
  // 1 or 0.
  absl::Status Flag(absl::string_view name, bool& value);
  // `absent` is the value of an absent field, unless it is zero.
  template <typename T>
  absl::Status Value(absl::string_view name, FieldType type, T& value, T absent = {}) {
    uint64_t bits = BitsOf(absent != T() ? absent : value);
    RETURN_IF_ERROR(Bits(name, type, sizeof(T), bits));
    std::memcpy(static_cast<void*>(&value), &bits, sizeof(T));
    return absl::OkStatus();
  }

  template <typename Message>
  absl::Status Word(const Field& field, Message& message, uint64_t absent = 0) {
    uint64_t bits = absent != 0 ? absent : field.Get(message);
    RETURN_IF_ERROR(Bits(field.name, field.type, field.size, bits));
    field.Set(bits, message);
    return absl::OkStatus();
  }

  // Refuses fields that were not taken: this kind of line does not have them.
  absl::Status Finish(absl::string_view verb) const;

 private:
  absl::Status Bits(absl::string_view name, FieldType type, size_t size, uint64_t& bits);

  std::vector<std::pair<absl::string_view, absl::string_view>> fields_;
  const MarketDefinition* market_ = nullptr;
};

}  // namespace engine

#endif  // ENGINE_MESSAGES_TEXT_FIELDS_H_
