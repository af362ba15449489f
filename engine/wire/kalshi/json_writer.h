// The one writer of JSON: compact, fields in the order in which they are added.
//
//   JsonWriter json(out);
//   json.BeginObject().Text("ticker", ticker).Price("price", price).EndObject();
//
// Strings are escaped, and bytes that are not UTF-8 become U+FFFD. Nothing else is checked: the
// caller closes what it opens, and adds a key to members of objects only.

#ifndef ENGINE_WIRE_KALSHI_JSON_WRITER_H_
#define ENGINE_WIRE_KALSHI_JSON_WRITER_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/wire/kalshi/numbers.h"

namespace engine::kalshi {

// Appends `text` as a JSON string, with its quotation marks.
void AppendJsonString(absl::string_view text, std::string& out);

// Appends to a string that outlives it; it holds no text and allocates nothing itself. Keys are
// plain ASCII without quotation marks or backslashes. Not thread-safe.
class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;

  // Values: the whole text, or elements of an array.
  JsonWriter& BeginObject();
  JsonWriter& EndObject();
  JsonWriter& BeginArray();
  JsonWriter& EndArray();
  JsonWriter& Text(absl::string_view value);
  JsonWriter& Integer(int64_t value);
  JsonWriter& Price(engine::Price value);
  JsonWriter& Count(kalshi::Count value);

  // Members of an object. Key() is for a value that follows.
  JsonWriter& Key(absl::string_view key);
  JsonWriter& BeginObject(absl::string_view key);
  JsonWriter& BeginArray(absl::string_view key);
  JsonWriter& Text(absl::string_view key, absl::string_view value);
  JsonWriter& Integer(absl::string_view key, int64_t value);
  JsonWriter& Boolean(absl::string_view key, bool value);
  JsonWriter& Null(absl::string_view key);
  JsonWriter& Count(absl::string_view key, kalshi::Count value);
  JsonWriter& Price(absl::string_view key, engine::Price value);
  JsonWriter& Money(absl::string_view key, engine::Money value);    // 6 decimals
  JsonWriter& Balance(absl::string_view key, engine::Money value);  // 4 decimals, truncated
  JsonWriter& Time(absl::string_view key, Timestamp value);
  // A JSON number of so many millionths, trailing zeros stripped: 70000 is 0.07.
  JsonWriter& Millionths(absl::string_view key, int64_t value);
  // `json` is a JSON value, appended as it is.
  JsonWriter& Raw(absl::string_view key, absl::string_view json);

  // Nothing if the value is empty.
  JsonWriter& TextIfAny(absl::string_view key, absl::string_view value);
  JsonWriter& CountIfAny(absl::string_view key, const std::optional<kalshi::Count>& value);
  JsonWriter& PriceIfAny(absl::string_view key, const std::optional<engine::Price>& value);
  JsonWriter& IntegerIfAny(absl::string_view key, const std::optional<int64_t>& value);
  JsonWriter& TimeIfAny(absl::string_view key, const std::optional<Timestamp>& value);
  // null if the value is empty.
  JsonWriter& TextOrNull(absl::string_view key, absl::string_view value);
  JsonWriter& TimeOrNull(absl::string_view key, const std::optional<Timestamp>& value);

 private:
  // Begins an element: a comma, unless it is the first.
  void BeginValue();
  // Begins a member: a comma, the key, a colon.
  void BeginMember(absl::string_view key);

  std::string& out_;
  bool is_first_ = true;  // Of its object or array.
};

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_JSON_WRITER_H_
