#include "tools/cli/base/json.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "absl/strings/str_format.h"
#include "tools/cli/base/visible_text.h"

namespace tools {

namespace {

void AppendUnit(uint32_t unit, std::string& out) { absl::StrAppendFormat(&out, "\\u%04X", unit); }

void AppendHidden(uint32_t character, std::string& out) {
  switch (character) {
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  if (character < 0x1'0000) return AppendUnit(character, out);
  character -= 0x1'0000;
  AppendUnit(0xd800 + (character >> 10), out);
  AppendUnit(0xdc00 + (character & 0x3ff), out);
}

// Returns `text` in quotes. Hidden characters are escaped; bytes that are not UTF-8, which JSON
// cannot express, become U+FFFD.
std::string Quoted(absl::string_view text) {
  std::string quoted = "\"";
  VisitPieces(text, [&quoted](const TextPiece& piece) {
    switch (piece.kind) {
      case TextPiece::Kind::kVisible:
        for (const char c : piece.bytes) {
          if (c == '"' || c == '\\') quoted += '\\';
          quoted += c;
        }
        break;
      case TextPiece::Kind::kHidden:
        AppendHidden(piece.character, quoted);
        break;
      case TextPiece::Kind::kNotUtf8:
        AppendUnit(0xfffd, quoted);
        break;
    }
  });
  return quoted + "\"";
}

}  // namespace

struct JsonObject::State {
  void Key(absl::string_view name) { Text(name); }
  void Text(absl::string_view text) {
    const std::string quoted = Quoted(text);
    writer.RawValue(quoted.data(), quoted.size(), rapidjson::kStringType);
  }

  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer{buffer};
};

JsonObject::JsonObject() : state_(std::make_unique<State>()) { state_->writer.StartObject(); }
JsonObject::JsonObject(absl::string_view schema) : JsonObject() { Field("schema", schema); }
JsonObject::~JsonObject() = default;
JsonObject::JsonObject(JsonObject&&) noexcept = default;

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
