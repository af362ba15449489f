// Where the plain part of a text ends: what a JSON string holds as it is.

#ifndef ENGINE_WIRE_KALSHI_PLAIN_TEXT_H_
#define ENGINE_WIRE_KALSHI_PLAIN_TEXT_H_

#include <emmintrin.h>

#include <cstddef>

#include "absl/strings/string_view.h"

namespace engine::kalshi {

// The number of bytes before the first that is a quotation mark, a backslash, a control character
// below a blank, or no ASCII.
inline size_t PlainSize(absl::string_view text) {
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i blank = _mm_set1_epi8(' ');  // Bytes of UTF-8 are negative, and so below it.
  const char* const at = text.data();
  size_t i = 0;
  for (; i + 16 <= text.size(); i += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + i));
    const __m128i special =
        _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)),
                     _mm_cmplt_epi8(bytes, blank));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(special));
    if (mask != 0) return i + static_cast<size_t>(__builtin_ctz(mask));
  }
  const auto is_plain = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= ' ' && byte < 0x80 && c != '"' && c != '\\';
  };
  while (i < text.size() && is_plain(at[i])) ++i;
  return i;
}

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_PLAIN_TEXT_H_
