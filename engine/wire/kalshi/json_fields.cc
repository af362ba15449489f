#include "engine/wire/kalshi/json_fields.h"

#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"

namespace engine::kalshi {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

absl::string_view View(std::string_view text) { return {text.data(), text.size()}; }

// The kind of a value, as Go names it.
std::string KindOf(element value) {
  switch (value.type()) {
    case element_type::ARRAY:
      return "array";
    case element_type::OBJECT:
      return "object";
    case element_type::STRING:
      return "string";
    case element_type::BOOL:
      return "bool";
    case element_type::NULL_VALUE:
      return "null";
    case element_type::INT64:
    case element_type::UINT64:
    case element_type::DOUBLE:
      return "number";
  }
  return "value";
}

// A number that is no int64 is named by its digits.
std::string KindForInteger(element value) {
  if (uint64_t large = 0; value.get(large) == simdjson::SUCCESS) {
    return absl::StrCat("number ", large);
  }
  if (double fraction = 0; value.get(fraction) == simdjson::SUCCESS) {
    return absl::StrCat("number ", fraction);
  }
  return KindOf(value);
}

// Puts the value into the target; false if it has another type.
template <typename T>
bool Put(element value, std::optional<T>& target) {
  T read;
  if (value.get(read) != simdjson::SUCCESS) return false;
  target = read;
  return true;
}

bool Put(element value, std::optional<absl::string_view>& target) {
  std::string_view read;
  if (value.get(read) != simdjson::SUCCESS) return false;
  target = View(read);
  return true;
}

bool IsInteger(const JsonField& field) {
  return std::holds_alternative<std::optional<int64_t>*>(field.target);
}

absl::string_view ErrorText(simdjson::error_code code) {
  switch (code) {
    case simdjson::EMPTY:
      return "EOF";
    case simdjson::CAPACITY:
      return "http: request body too large";
    case simdjson::DEPTH_ERROR:
      return "exceeded max depth";
    case simdjson::UTF8_ERROR:
      return "invalid UTF-8";
    default:
      return "invalid JSON";
  }
}

}  // namespace

JsonDocument::JsonDocument(size_t bytes_max, size_t depth_max) : parser_(bytes_max) {
  // No document is known yet: the parser grows with the longest, and keeps this depth.
  if (parser_.allocate(0, depth_max) != simdjson::SUCCESS) error_ = ErrorText(simdjson::MEMALLOC);
}

std::optional<element> JsonDocument::Parse(absl::string_view text) {
  element root;
  // An empty text may be null, which the parser would copy from.
  const simdjson::error_code code =
      text.empty() ? simdjson::EMPTY : parser_.parse(text.data(), text.size(), true).get(root);
  if (code == simdjson::SUCCESS) return root;
  error_ = ErrorText(code);
  return std::nullopt;
}

void TypeErrors::Read(element value, absl::string_view go_struct, absl::string_view path,
                      std::span<const JsonField> fields) {
  if (value.is_null()) return;
  simdjson::dom::object object;
  if (value.get(object) != simdjson::SUCCESS) {
    return Add(absl::StrCat("json: cannot unmarshal ", KindOf(value), " into Go value of type ",
                            go_struct));
  }
  ReadMembers(object, go_struct, path, fields);
}

void TypeErrors::ReadMembers(simdjson::dom::object object, absl::string_view go_struct,
                             absl::string_view path, std::span<const JsonField> fields) {
  for (const auto [key, member] : object) {
    for (const JsonField& field : fields) {
      if (View(key) != field.name) continue;
      ReadField(field, member, go_struct, path);
      break;
    }
  }
}

void TypeErrors::ReadField(const JsonField& field, element value, absl::string_view go_struct,
                           absl::string_view path) {
  if (value.is_null()) return;
  if (std::visit([value](auto* target) { return Put(value, *target); }, field.target)) return;
  Add(absl::StrCat(
      "json: cannot unmarshal ", IsInteger(field) ? KindForInteger(value) : KindOf(value),
      " into Go struct field ", go_struct, ".", path, field.name, " of type ", field.go_type));
}

void TypeErrors::Add(std::string text) {
  if (!first_.has_value()) first_ = std::move(text);
}

}  // namespace engine::kalshi
