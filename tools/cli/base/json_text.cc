#include "tools/cli/base/json_text.h"

#include <rapidjson/error/en.h>

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace tools {

absl::StatusOr<std::unique_ptr<const JsonText>> JsonText::Parse(std::string text,
                                                                absl::string_view name) {
  std::unique_ptr<JsonText> parsed(new JsonText(std::move(text), name));
  // Parsing in place ends at a zero byte.
  const size_t zero = parsed->original_.find('\0');
  if (zero != std::string::npos) return parsed->SyntaxError(zero, "a zero byte");
  constexpr unsigned kFlags =
      kJsonParseFlags | rapidjson::kParseInsituFlag | rapidjson::kParseValidateEncodingFlag;
  // A character that is cut at the end is read to its last byte: up to three after the text.
  parsed->parsed_.append(3, '\0');
  rapidjson::Document& document = parsed->document_;
  document.ParseInsitu<kFlags>(parsed->parsed_.data());
  if (document.HasParseError()) {
    return parsed->SyntaxError(document.GetErrorOffset(),
                               rapidjson::GetParseError_En(document.GetParseError()));
  }
  return parsed;
}

const char* JsonText::PlaceOf(const rapidjson::Value& value) {
  const rapidjson::Value* at = &value;
  while (at->IsArray() && !at->Empty()) at = &(*at)[0];
  if (at->IsObject() && !at->ObjectEmpty()) return at->MemberBegin()->name.GetString();
  return at->IsString() ? at->GetString() : nullptr;
}

absl::Status JsonText::Error(const char* place, absl::string_view message) const {
  const size_t offset = place == nullptr ? 0 : static_cast<size_t>(place - parsed_.data());
  return absl::InvalidArgumentError(absl::StrCat(name_, ":", LineAt(offset), ": ", message));
}

size_t JsonText::LineAt(size_t offset) const {
  return 1 + static_cast<size_t>(std::count(
                 original_.begin(), original_.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

absl::Status JsonText::SyntaxError(size_t offset, absl::string_view reason) const {
  offset = std::min(offset, original_.size());
  const size_t before = original_.substr(0, offset).rfind('\n');
  const size_t column = before == std::string::npos ? offset + 1 : offset - before;
  return absl::InvalidArgumentError(
      absl::StrCat(name_, ":", LineAt(offset), ":", column, ": ", reason));
}

}  // namespace tools
