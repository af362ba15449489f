// Reads members of JSON objects into optional values, as Go's decoder would: unknown members are
// ignored, null changes nothing, of two members with one name the last counts, and the first wrong
// type is an error in Go's words. For the decoders of this room.

#ifndef ENGINE_WIRE_KALSHI_JSON_FIELDS_H_
#define ENGINE_WIRE_KALSHI_JSON_FIELDS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "absl/strings/string_view.h"
#include "simdjson.h"

namespace engine::kalshi {

// Where a member goes. Texts are views of the parser's memory.
struct JsonField {
  absl::string_view name;
  std::variant<std::optional<absl::string_view>*, std::optional<int64_t>*, std::optional<bool>*,
               std::optional<simdjson::dom::array>*, std::optional<simdjson::dom::object>*>
      target;
  absl::string_view go_type;  // In the error: "string".
};

// One document at a time. Not thread-safe.
class JsonDocument {
 public:
  JsonDocument(size_t bytes_max, size_t depth_max);

  // The next document's root. nullopt if it is none: error() says why, as Go would, roughly.
  // Views of the document before end.
  std::optional<simdjson::dom::element> Parse(absl::string_view text);
  absl::string_view error() const { return error_; }

 private:
  simdjson::dom::parser parser_;
  absl::string_view error_;
};

// The first wrong type of a document.
class TypeErrors {
 public:
  bool any() const { return first_.has_value(); }
  // REQUIRES: any().
  const std::string& first() const { return *first_; }

  // Reads the members of `element`, which should be an object. `go_struct` is its type, `path` the
  // members that lead to it, each followed by a dot: "orders.".
  void Read(simdjson::dom::element element, absl::string_view go_struct, absl::string_view path,
            std::span<const JsonField> fields);
  void ReadMembers(simdjson::dom::object object, absl::string_view go_struct,
                   absl::string_view path, std::span<const JsonField> fields);

 private:
  void ReadField(const JsonField& field, simdjson::dom::element value, absl::string_view go_struct,
                 absl::string_view path);
  void Add(std::string text);

  std::optional<std::string> first_;
};

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_JSON_FIELDS_H_
