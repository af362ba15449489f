// One JSON object, written field by field in the order given: equal results are equal bytes.
//
//   JsonObject json("ticktape.info/1");
//   json.Field("records", info.record_count());
//   console.PrintLine(json.Take());

#ifndef TOOLS_CLI_BASE_JSON_H_
#define TOOLS_CLI_BASE_JSON_H_

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <concepts>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace tools {

// A value type that is built up and taken once.
class JsonObject {
 public:
  JsonObject() { writer_.StartObject(); }
  // `schema` names the form and its version; a field is never renamed within one.
  explicit JsonObject(absl::string_view schema) : JsonObject() { Field("schema", schema); }

  void Field(absl::string_view name, absl::string_view value) {
    Key(name);
    Text(value);
  }
  void Field(absl::string_view name, const char* value) { Field(name, absl::string_view(value)); }
  void Field(absl::string_view name, const std::string& value) {
    Field(name, absl::string_view(value));
  }
  void Field(absl::string_view name, bool value) {
    Key(name);
    writer_.Bool(value);
  }
  void Field(absl::string_view name, double value) {
    Key(name);
    writer_.Double(value);
  }
  template <std::unsigned_integral Int>
  void Field(absl::string_view name, Int value) {
    Key(name);
    writer_.Uint64(value);
  }
  template <std::signed_integral Int>
  void Field(absl::string_view name, Int value) {
    Key(name);
    writer_.Int64(value);
  }
  // What is not known.
  void NullField(absl::string_view name) {
    Key(name);
    writer_.Null();
  }

  // Between them stand the nested object's fields, or the array's elements, each begun by
  // Element().
  void BeginObject(absl::string_view name) {
    Key(name);
    writer_.StartObject();
  }
  void EndObject() { writer_.EndObject(); }
  void BeginArray(absl::string_view name) {
    Key(name);
    writer_.StartArray();
  }
  void BeginElement() { writer_.StartObject(); }
  void EndElement() { writer_.EndObject(); }
  void Element(absl::string_view text) { Text(text); }
  void EndArray() { writer_.EndArray(); }

  std::string Take() {
    writer_.EndObject();
    return {buffer_.GetString(), buffer_.GetSize()};
  }

 private:
  void Key(absl::string_view name) {
    writer_.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
  }
  void Text(absl::string_view text) {
    writer_.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
  }

  rapidjson::StringBuffer buffer_;
  rapidjson::Writer<rapidjson::StringBuffer> writer_{buffer_};
};

}  // namespace tools

#endif  // TOOLS_CLI_BASE_JSON_H_
