// A decimal number in a request: its text and the value of its digits.
//
//   "-320.1400"  ─►  digits 3201400, 4 after the point, negative  ─►  with 4 decimals: -3201400
//
// The numbers that a market allows are known only once the market is. Until then the text is kept,
// so that an error can quote it, and the digits are parsed only once.

#ifndef ENGINE_WIRE_TEXT_DECIMAL_WORD_H_
#define ENGINE_WIRE_TEXT_DECIMAL_WORD_H_

#include <array>
#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/types/decimal.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"

namespace engine {

// A value. `text` is well-formed; the other members are derived from it.
struct DecimalWord {
  static constexpr int kDigitsMax = 18;  // Any 18 digits fit 64 bits.

  absl::string_view text;
  uint64_t digits = 0;        // Valid if is_read, as is the next.
  uint8_t decimal_count = 0;  // The number of digits after the point.
  bool is_negative = false;
  bool is_read = false;  // False if there are more than kDigitsMax digits.

  // Sets `units` and returns true if the digits are no finer than the unit and the result fits 63
  // bits. On false, parse `text`.
  bool ToUnits(int decimals, uint64_t& units) const {
    static constexpr std::array<uint64_t, kDecimalsMax + 1> kPowers = {
        1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};
    const int missing = decimals - decimal_count;
    return is_read && missing >= 0 && missing <= kDecimalsMax &&
           !__builtin_mul_overflow(digits, kPowers[static_cast<size_t>(missing)], &units) &&
           units <= uint64_t{INT64_MAX};
  }
};

// The same results as ParsePrice and ParseQuantity on the word's text, errors included.
inline absl::StatusOr<Price> ToPrice(const DecimalWord& word, int decimals) {
  uint64_t units = 0;
  if (!word.ToUnits(decimals, units)) [[unlikely]]
    return ParsePrice(word.text, decimals);
  const auto magnitude = static_cast<int64_t>(units);
  return Price::FromUnits(word.is_negative ? -magnitude : magnitude);
}

inline absl::StatusOr<Quantity> ToQuantity(const DecimalWord& word, int decimals) {
  uint64_t units = 0;
  if (word.is_negative || !word.ToUnits(decimals, units)) [[unlikely]]
    return ParseQuantity(word.text, decimals);
  return Quantity::FromUnits(units);
}

}  // namespace engine

#endif  // ENGINE_WIRE_TEXT_DECIMAL_WORD_H_
