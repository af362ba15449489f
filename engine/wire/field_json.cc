#include "engine/wire/field_json.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace engine {

void FieldJson::PutNumber(absl::string_view name, uint64_t value) {
  absl::StrAppend(&out_, ",\"", name, "\":", value);
}

void FieldJson::PutText(absl::string_view name, absl::string_view text) {
  absl::StrAppend(&out_, ",\"", name, "\":\"");
  for (const char c : absl::StripTrailingAsciiWhitespace(text)) {
    if (c == '"' || c == '\\' || !absl::ascii_isprint(static_cast<unsigned char>(c))) {
      absl::StrAppend(&out_, "\\u", absl::Hex(static_cast<unsigned char>(c), absl::kZeroPad4));
    } else {
      out_.push_back(c);
    }
  }
  out_.push_back('"');
}

}  // namespace engine
