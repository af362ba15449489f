#include "engine/wire/http/http_request.h"

#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace engine {

std::optional<absl::string_view> HttpRequest::Find(absl::string_view name) const {
  for (const HttpField& field : fields) {
    if (absl::EqualsIgnoreCase(field.name, name)) return field.value;
  }
  return std::nullopt;
}

bool HttpRequest::HasToken(absl::string_view name, absl::string_view token) const {
  for (const HttpField& field : fields) {
    if (!absl::EqualsIgnoreCase(field.name, name)) continue;
    for (const absl::string_view item : absl::StrSplit(field.value, ',')) {
      if (absl::EqualsIgnoreCase(absl::StripAsciiWhitespace(item), token)) return true;
    }
  }
  return false;
}

}  // namespace engine
