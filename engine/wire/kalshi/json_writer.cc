#include "engine/wire/kalshi/json_writer.h"

#include <array>
#include <charconv>
#include <cstring>

#include "engine/wire/kalshi/plain_text.h"

namespace engine::kalshi {
namespace {

constexpr absl::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The size of the UTF-8 sequence at the start of `text`, which is not empty; 0 if there is none.
size_t SequenceSize(absl::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const size_t size = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (size == 0 || first > 0xF4 || text.size() < size) return 0;
  for (size_t i = 1; i < size; ++i) {
    if (!IsContinuation(text[i])) return 0;
  }
  if (size < 3) return size;
  // Too long a form, a surrogate, or beyond U+10FFFF.
  const auto second = static_cast<unsigned char>(text[1]);
  const bool is_bad = (first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0) ||
                      (first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90);
  return is_bad ? 0 : size;
}

void AppendEscaped(unsigned char c, std::string& out) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
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
      constexpr absl::string_view kDigits = "0123456789abcdef";
      out += "\\u00";
      out += kDigits[c >> 4];
      out += kDigits[c & 15];
  }
}

// Appends what is not plain at the start of `text`, and returns its size.
size_t AppendSpecial(absl::string_view text, std::string& out) {
  const auto c = static_cast<unsigned char>(text[0]);
  if (c < 0x80) {
    AppendEscaped(c, out);
    return 1;
  }
  const size_t size = SequenceSize(text);
  const absl::string_view bytes = size == 0 ? kReplacement : text.substr(0, size);
  out.append(bytes.data(), bytes.size());
  return size == 0 ? 1 : size;
}

}  // namespace

void AppendJsonString(absl::string_view text, std::string& out) {
  out += '"';
  while (!text.empty()) {
    const size_t plain = PlainSize(text);
    out.append(text.data(), plain);
    text.remove_prefix(plain);
    if (!text.empty()) text.remove_prefix(AppendSpecial(text, out));
  }
  out += '"';
}

void JsonWriter::BeginValue() {
  if (!is_first_) out_ += ',';
  is_first_ = false;
}

void JsonWriter::BeginMember(absl::string_view key) {
  std::array<char, 64> text;  // One append, for the usual length of a key.
  if (key.size() + 4 > text.size()) {
    BeginValue();
    AppendJsonString(key, out_);
    out_ += ':';
    return;
  }
  char* at = text.data();
  if (!is_first_) *at++ = ',';
  is_first_ = false;
  *at++ = '"';
  std::memcpy(at, key.data(), key.size());
  at += key.size();
  *at++ = '"';
  *at++ = ':';
  out_.append(text.data(), static_cast<size_t>(at - text.data()));
}

JsonWriter& JsonWriter::Key(absl::string_view key) {
  BeginMember(key);
  is_first_ = true;
  return *this;
}

JsonWriter& JsonWriter::BeginObject() {
  BeginValue();
  out_ += '{';
  is_first_ = true;
  return *this;
}

JsonWriter& JsonWriter::EndObject() {
  out_ += '}';
  is_first_ = false;
  return *this;
}

JsonWriter& JsonWriter::BeginArray() {
  BeginValue();
  out_ += '[';
  is_first_ = true;
  return *this;
}

JsonWriter& JsonWriter::EndArray() {
  out_ += ']';
  is_first_ = false;
  return *this;
}

JsonWriter& JsonWriter::Text(absl::string_view value) {
  BeginValue();
  AppendJsonString(value, out_);
  return *this;
}

JsonWriter& JsonWriter::Integer(int64_t value) {
  BeginValue();
  std::array<char, 24> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  out_.append(text.data(), static_cast<size_t>(end - text.data()));
  return *this;
}

JsonWriter& JsonWriter::Count(kalshi::Count value) {
  BeginValue();
  out_ += '"';
  AppendCount(value, out_);
  out_ += '"';
  return *this;
}

JsonWriter& JsonWriter::Price(engine::Price value) {
  BeginValue();
  out_ += '"';
  AppendPrice(value, out_);
  out_ += '"';
  return *this;
}

JsonWriter& JsonWriter::BeginObject(absl::string_view key) { return Key(key).BeginObject(); }
JsonWriter& JsonWriter::BeginArray(absl::string_view key) { return Key(key).BeginArray(); }

JsonWriter& JsonWriter::Text(absl::string_view key, absl::string_view value) {
  BeginMember(key);
  AppendJsonString(value, out_);
  return *this;
}

JsonWriter& JsonWriter::Integer(absl::string_view key, int64_t value) {
  return Key(key).Integer(value);
}

JsonWriter& JsonWriter::Boolean(absl::string_view key, bool value) {
  BeginMember(key);
  out_ += value ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::Null(absl::string_view key) { return Raw(key, "null"); }

JsonWriter& JsonWriter::Count(absl::string_view key, kalshi::Count value) {
  return Key(key).Count(value);
}

JsonWriter& JsonWriter::Price(absl::string_view key, engine::Price value) {
  return Key(key).Price(value);
}

JsonWriter& JsonWriter::Money(absl::string_view key, engine::Money value) {
  BeginMember(key);
  out_ += '"';
  AppendMoney(value, out_);
  out_ += '"';
  return *this;
}

JsonWriter& JsonWriter::Balance(absl::string_view key, engine::Money value) {
  BeginMember(key);
  out_ += '"';
  AppendBalance(value, out_);
  out_ += '"';
  return *this;
}

JsonWriter& JsonWriter::Time(absl::string_view key, Timestamp value) {
  BeginMember(key);
  out_ += '"';
  AppendTime(value, out_);
  out_ += '"';
  return *this;
}

JsonWriter& JsonWriter::Millionths(absl::string_view key, int64_t value) {
  BeginMember(key);
  AppendMoney(engine::Money::FromMicros(value), out_);
  while (out_.back() == '0') out_.pop_back();
  if (out_.back() == '.') out_.pop_back();
  return *this;
}

JsonWriter& JsonWriter::Raw(absl::string_view key, absl::string_view json) {
  BeginMember(key);
  out_.append(json.data(), json.size());
  return *this;
}

JsonWriter& JsonWriter::TextIfAny(absl::string_view key, absl::string_view value) {
  return value.empty() ? *this : Text(key, value);
}

JsonWriter& JsonWriter::CountIfAny(absl::string_view key,
                                   const std::optional<kalshi::Count>& value) {
  return value.has_value() ? Count(key, *value) : *this;
}

JsonWriter& JsonWriter::PriceIfAny(absl::string_view key,
                                   const std::optional<engine::Price>& value) {
  return value.has_value() ? Price(key, *value) : *this;
}

JsonWriter& JsonWriter::IntegerIfAny(absl::string_view key, const std::optional<int64_t>& value) {
  return value.has_value() ? Integer(key, *value) : *this;
}

JsonWriter& JsonWriter::TimeIfAny(absl::string_view key, const std::optional<Timestamp>& value) {
  return value.has_value() ? Time(key, *value) : *this;
}

JsonWriter& JsonWriter::TextOrNull(absl::string_view key, absl::string_view value) {
  return value.empty() ? Null(key) : Text(key, value);
}

JsonWriter& JsonWriter::TimeOrNull(absl::string_view key, const std::optional<Timestamp>& value) {
  return value.has_value() ? Time(key, *value) : Null(key);
}

}  // namespace engine::kalshi
