// Decimal digits at the front of a text, without a loop over them: the lengths of numbers vary from
// message to message, and a loop that ends elsewhere each time costs more than its steps.

#ifndef ENGINE_WIRE_KALSHI_DIGITS_H_
#define ENGINE_WIRE_KALSHI_DIGITS_H_

#include <emmintrin.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "absl/strings/string_view.h"

namespace engine::kalshi {

inline constexpr size_t kDigitsMax = 16;

// The number of digits before another byte, at most kDigitsMax.
inline size_t DigitCount(absl::string_view text) {
  if (text.size() >= kDigitsMax) [[likely]] {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data()));
    // '0' becomes the least of all numbers.
    const __m128i moved = _mm_sub_epi8(bytes, _mm_set1_epi8(static_cast<char>('0' + 128)));
    const __m128i is_digit = _mm_cmplt_epi8(moved, _mm_set1_epi8(-128 + 10));
    return static_cast<size_t>(std::countr_one(static_cast<uint32_t>(_mm_movemask_epi8(is_digit))));
  }
  size_t count = 0;
  while (count < text.size() && '0' <= text[count] && text[count] <= '9') ++count;
  return count;
}

// The value of 8 digits, the first in the lowest byte; a byte of zero is a digit of zero.
inline uint64_t EightDigitsValue(uint64_t digits) {
  digits = (digits & 0x0f0f'0f0f'0f0f'0f0f) * (10 * 256 + 1) >> 8;
  digits = (digits & 0x00ff'00ff'00ff'00ff) * (100 * 65'536 + 1) >> 16;
  return (digits & 0x0000'ffff'0000'ffff) * ((uint64_t{10'000} << 32) + 1) >> 32;
}

// The value of the first `count` bytes. REQUIRES: `count` is at most DigitCount(text).
inline int64_t DigitsValue(absl::string_view text, size_t count) {
  constexpr size_t kWord = sizeof(uint64_t);
  if (count == 0) return 0;
  if (text.size() < kWord) {
    int64_t value = 0;
    for (size_t i = 0; i < count; ++i) value = value * 10 + (text[i] - '0');
    return value;
  }
  const auto load = [&](size_t at) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + at, kWord);
    return word;
  };
  if (count <= kWord) {
    return static_cast<int64_t>(EightDigitsValue(load(0) << (8 * (kWord - count))));
  }
  const uint64_t high = EightDigitsValue(load(0) << (8 * (2 * kWord - count)));
  return static_cast<int64_t>(high * 100'000'000 + EightDigitsValue(load(count - kWord)));
}

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_DIGITS_H_
