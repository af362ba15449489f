// One JSON object, written field by field in the order given: equal results are equal bytes. Texts
// and names may be any bytes: the output is valid JSON in valid UTF-8, without characters that move
// a cursor or change the direction of writing.
//
//   JsonObject json("ticktape.info/1");
//   json.Field("records", info.record_count());
//   console.PrintLine(json.Take());

#ifndef TOOLS_CLI_BASE_JSON_H_
#define TOOLS_CLI_BASE_JSON_H_

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include "absl/strings/string_view.h"

namespace tools {

// A value type: built up, then taken once.
class JsonObject {
 public:
  JsonObject();
  // `schema` names the format and its version; fields are never renamed within a version.
  explicit JsonObject(absl::string_view schema);
  ~JsonObject();
  JsonObject(JsonObject&&) noexcept;
  JsonObject& operator=(JsonObject&&) = delete;

  // Writes a text, a number or a bool. Numbered values (SequenceNumber, OrderId) are numbers,
  // values with a text form (Timestamp, Digest) are texts. Nothing for nullopt.
  template <typename Value>
  void Field(absl::string_view name, const Value& value) {
    if constexpr (requires { value.has_value(); }) {
      if (value.has_value()) Field(name, *value);
    } else if constexpr (requires { value.value() + 1u; }) {
      Field(name, value.value());
    } else if constexpr (requires { value.ToString(); }) {
      Put(name, value.ToString());
    } else if constexpr (std::is_same_v<Value, bool> || std::floating_point<Value>) {
      Put(name, value);
    } else if constexpr (std::unsigned_integral<Value>) {
      Put(name, uint64_t{value});
    } else if constexpr (std::signed_integral<Value>) {
      Put(name, int64_t{value});
    } else {
      Put(name, absl::string_view(value));
    }
  }
  // For an unknown value.
  void NullField(absl::string_view name);

  // Between Begin and End are the fields of the nested object, or the elements of the array:
  // objects between BeginElement() and EndElement(), or texts by Element().
  void BeginObject(absl::string_view name);
  void EndObject();
  void BeginArray(absl::string_view name);
  void BeginElement();
  void EndElement();
  void Element(absl::string_view text);
  void EndArray();

  // Writes an array of objects: `write` adds the fields of one element.
  template <typename Items, typename Write>
  void Objects(absl::string_view name, const Items& items, Write write) {
    BeginArray(name);
    for (const auto& item : items) {
      BeginElement();
      write(item);
      EndElement();
    }
    EndArray();
  }
  template <typename Items>
  void Texts(absl::string_view name, const Items& texts) {
    BeginArray(name);
    for (const auto& text : texts) Element(text);
    EndArray();
  }

  // Writes an object of pairs of a name and a value.
  template <typename Pairs>
  void Named(absl::string_view name, const Pairs& pairs) {
    BeginObject(name);
    for (const auto& [key, value] : pairs) Field(key, value);
    EndObject();
  }

  // Returns the object. REQUIRES: called once.
  std::string Take();

 private:
  struct State;

  void Put(absl::string_view name, absl::string_view text);
  void Put(absl::string_view name, bool value);
  void Put(absl::string_view name, double value);
  void Put(absl::string_view name, uint64_t value);
  void Put(absl::string_view name, int64_t value);

  std::unique_ptr<State> state_;
};

}  // namespace tools

#endif  // TOOLS_CLI_BASE_JSON_H_
