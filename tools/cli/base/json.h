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
#include <optional>
#include <string>

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

  void Field(absl::string_view name, absl::string_view value);
  void Field(absl::string_view name, const char* value) { Field(name, absl::string_view(value)); }
  void Field(absl::string_view name, const std::string& value) {
    Field(name, absl::string_view(value));
  }
  void Field(absl::string_view name, bool value);
  void Field(absl::string_view name, double value);
  template <std::unsigned_integral Int>
  void Field(absl::string_view name, Int value) {
    UnsignedField(name, value);
  }
  template <std::signed_integral Int>
  void Field(absl::string_view name, Int value) {
    SignedField(name, value);
  }
  // Numbered values (SequenceNumber, OrderId) are numbers, values with a text form (Timestamp,
  // Digest) are texts.
  template <typename Value>
    requires requires(const Value& value) { value.value() + 1u; }
  void Field(absl::string_view name, const Value& value) {
    Field(name, value.value());
  }
  template <typename Value>
    requires requires(const Value& value) { value.ToString(); } &&
             (!requires(const Value& value) { value.value(); })
  void Field(absl::string_view name, const Value& value) {
    Field(name, value.ToString());
  }
  // Writes nothing for nullopt.
  template <typename Value>
  void Field(absl::string_view name, const std::optional<Value>& value) {
    if (value.has_value()) Field(name, *value);
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

  // Returns the object. REQUIRES: called once.
  std::string Take();

 private:
  struct State;

  void UnsignedField(absl::string_view name, uint64_t value);
  void SignedField(absl::string_view name, int64_t value);

  std::unique_ptr<State> state_;
};

}  // namespace tools

#endif  // TOOLS_CLI_BASE_JSON_H_
