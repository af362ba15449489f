#include "tools/cli/base/json.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <array>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/cli/base/console_text.h"

namespace tools {
namespace {

void AppendUnit(uint32_t unit, std::string& out) { absl::StrAppendFormat(&out, "\\u%04X", unit); }

void AppendHidden(uint32_t character, std::string& out) {
  constexpr std::array<std::pair<uint32_t, const char*>, 5> kShort = {
      {{'\b', "\\b"}, {'\f', "\\f"}, {'\n', "\\n"}, {'\r', "\\r"}, {'\t', "\\t"}}};
  for (const auto& [hidden, escape] : kShort) {
    if (character == hidden) return absl::StrAppend(&out, escape);
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
  void Text(absl::string_view text) {
    const std::string quoted = Quoted(text);
    writer.RawValue(quoted.data(), quoted.size(), rapidjson::kStringType);
  }
  // Returns the writer after the name of a field.
  rapidjson::Writer<rapidjson::StringBuffer>& Named(absl::string_view name) {
    Text(name);
    return writer;
  }

  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer{buffer};
};

JsonObject::JsonObject() : state_(std::make_unique<State>()) { state_->writer.StartObject(); }
JsonObject::JsonObject(absl::string_view schema) : JsonObject() { Field("schema", schema); }
JsonObject::~JsonObject() = default;
JsonObject::JsonObject(JsonObject&&) noexcept = default;

void JsonObject::Put(absl::string_view name, absl::string_view text) {
  state_->Text(name);
  state_->Text(text);
}
void JsonObject::Put(absl::string_view name, bool value) { state_->Named(name).Bool(value); }
void JsonObject::Put(absl::string_view name, double value) { state_->Named(name).Double(value); }
void JsonObject::Put(absl::string_view name, uint64_t value) { state_->Named(name).Uint64(value); }
void JsonObject::Put(absl::string_view name, int64_t value) { state_->Named(name).Int64(value); }
void JsonObject::NullField(absl::string_view name) { state_->Named(name).Null(); }

void JsonObject::BeginObject(absl::string_view name) { state_->Named(name).StartObject(); }
void JsonObject::EndObject() { state_->writer.EndObject(); }
void JsonObject::BeginArray(absl::string_view name) { state_->Named(name).StartArray(); }
void JsonObject::BeginElement() { state_->writer.StartObject(); }
void JsonObject::EndElement() { state_->writer.EndObject(); }
void JsonObject::Element(absl::string_view text) { state_->Text(text); }
void JsonObject::EndArray() { state_->writer.EndArray(); }

std::string JsonObject::Take() {
  state_->writer.EndObject();
  return {state_->buffer.GetString(), state_->buffer.GetSize()};
}

}  // namespace tools
