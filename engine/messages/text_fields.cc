#include "engine/messages/text_fields.h"

#include <algorithm>

namespace engine {
absl::StatusOr<FieldReader> FieldReader::Split(absl::Span<const absl::string_view> words) {
  FieldReader reader;
  for (const absl::string_view word : words) {
    const auto equals = word.find('=');
    if (equals == absl::string_view::npos || equals == 0) {
      return RefuseText("'", word, "' is not a field; expected name=value");
    }
    const absl::string_view name = word.substr(0, equals);
    for (const auto& field : reader.fields_) {
      if (field.first == name) return RefuseText("field '", name, "' occurs twice");
    }
    reader.fields_.emplace_back(name, word.substr(equals + 1));
  }
  return reader;
}

bool FieldReader::Take(absl::string_view name, absl::string_view& value) {
  const auto field = std::find_if(fields_.begin(), fields_.end(), [name](const auto& candidate) {
    return candidate.first == name;
  });
  if (field == fields_.end()) return false;
  value = field->second;
  fields_.erase(field);
  return true;
}

absl::Status FieldReader::Bits(absl::string_view name, FieldType type, size_t size,
                               uint64_t& bits) {
  absl::string_view text;
  if (!Take(name, text)) return absl::OkStatus();
  return ParseFieldText(name, type, size, text, market_, bits);
}

absl::Status FieldReader::Flag(absl::string_view name, bool& value) {
  absl::string_view text;
  if (!Take(name, text)) return absl::OkStatus();
  if (text != "0" && text != "1") return RefuseText(name, "=", text, " is neither 0 nor 1");
  value = text == "1";
  return absl::OkStatus();
}

absl::Status FieldReader::Finish(absl::string_view verb) const {
  if (fields_.empty()) return absl::OkStatus();
  return RefuseText("'", verb, "' has no field '", fields_.front().first, "'");
}

}  // namespace engine
