// Integers as text: digits, and a leading '-' where the type is signed. Everything else is refused:
// blanks, '+', prefixes, and numbers that do not fit the type.

#ifndef ENGINE_BASE_INTEGER_TEXT_H_
#define ENGINE_BASE_INTEGER_TEXT_H_

#include <charconv>
#include <concepts>
#include <system_error>

#include "absl/strings/string_view.h"

namespace engine {

// Returns false and leaves `value` unchanged if `text` is not such a number. `base` is 10 or 16.
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
