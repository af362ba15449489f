// One JSON object, written field by field in the order given: equal results are equal bytes. Texts
// and names may be any bytes: the object is valid JSON in valid UTF-8, and nothing in it moves a
// cursor or changes the direction of writing.
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

#include "absl/strings/string_view.h"

namespace tools {

// A value type that is built up and taken once.
class JsonObject {
 public:
  JsonObject();
  // `schema` names the form and its version; a field is never renamed within one.
  explicit JsonObject(absl::string_view schema);
  ~JsonObject();

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
  // What is not known.
  void NullField(absl::string_view name);

  // Between them stand the nested object's fields, or the array's elements, each begun by
  // Element().
  void BeginObject(absl::string_view name);
  void EndObject();
  void BeginArray(absl::string_view name);
  void BeginElement();
  void EndElement();
  void Element(absl::string_view text);
  void EndArray();

  std::string Take();

 private:
  struct State;

  void UnsignedField(absl::string_view name, uint64_t value);
  void SignedField(absl::string_view name, int64_t value);

  const std::unique_ptr<State> state_;
};

}  // namespace tools

#endif  // TOOLS_CLI_BASE_JSON_H_
