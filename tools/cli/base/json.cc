#include "tools/cli/base/json.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"

namespace tools {

struct JsonObject::State {
  void Key(absl::string_view name) {
    writer.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
  }
  void Text(absl::string_view text) {
    writer.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
  }

  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer{buffer};
};

JsonObject::JsonObject() : state_(std::make_unique<State>()) { state_->writer.StartObject(); }
JsonObject::JsonObject(absl::string_view schema) : JsonObject() { Field("schema", schema); }
JsonObject::~JsonObject() = default;

void JsonObject::Field(absl::string_view name, absl::string_view value) {
  state_->Key(name);
  state_->Text(value);
}

void JsonObject::Field(absl::string_view name, bool value) {
  state_->Key(name);
  state_->writer.Bool(value);
}

void JsonObject::Field(absl::string_view name, double value) {
  state_->Key(name);
  state_->writer.Double(value);
}

void JsonObject::UnsignedField(absl::string_view name, uint64_t value) {
  state_->Key(name);
  state_->writer.Uint64(value);
}

void JsonObject::SignedField(absl::string_view name, int64_t value) {
  state_->Key(name);
  state_->writer.Int64(value);
}

void JsonObject::NullField(absl::string_view name) {
  state_->Key(name);
  state_->writer.Null();
}

void JsonObject::BeginObject(absl::string_view name) {
  state_->Key(name);
  state_->writer.StartObject();
}

void JsonObject::EndObject() { state_->writer.EndObject(); }

void JsonObject::BeginArray(absl::string_view name) {
  state_->Key(name);
  state_->writer.StartArray();
}

void JsonObject::BeginElement() { state_->writer.StartObject(); }
void JsonObject::EndElement() { state_->writer.EndObject(); }
void JsonObject::Element(absl::string_view text) { state_->Text(text); }
void JsonObject::EndArray() { state_->writer.EndArray(); }

std::string JsonObject::Take() {
  state_->writer.EndObject();
  return {state_->buffer.GetString(), state_->buffer.GetSize()};
}

}  // namespace tools
