// Whole numbers as text: digits, and a '-' before them where the type has a sign. Nothing else is a
// number: no blanks, no '+', no prefix, and nothing that does not fit.

#ifndef ENGINE_BASE_INTEGER_TEXT_H_
#define ENGINE_BASE_INTEGER_TEXT_H_

#include <charconv>
#include <concepts>
#include <system_error>

#include "absl/strings/string_view.h"

namespace engine {

// False where `text` is no such number; `value` is then as it was. `base` is 10 or 16.
template <std::integral Int>
[[nodiscard]] bool ParseInteger(absl::string_view text, Int& value, int base = 10) {
  Int parsed = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, parsed, base);
  if (error != std::errc() || at != end) return false;
  value = parsed;
  return true;
}

}  // namespace engine

#endif  // ENGINE_BASE_INTEGER_TEXT_H_
