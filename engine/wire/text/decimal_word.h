// A decimal number in a request: its word, and what its digits come to.
//
//   "-320.1400"  ─►  digits 3201400, 4 behind the point, negative  ─►  with 4 decimals: -3201400
//
// Which numbers a market allows is known only once the market is; until then the word stays, so
// that an error can quote it, and its digits are read only once.

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

// A value. Of `text`, which is well-formed, the other members say nothing that it does not.
struct DecimalWord {
  static constexpr int kDigitsMax = 18;  // So many fit whatever they are.

  absl::string_view text;
  uint64_t digits = 0;  // Of a word that has been read; so are the next.
  uint8_t behind = 0;   // How many of the digits are behind the point.
  bool is_negative = false;
  bool is_read = false;  // Else it has more than kDigitsMax digits.

  // The count of units, if the digits say it at once: no finer than the unit, and small.
  bool ToUnits(int decimals, uint64_t& units) const {
    static constexpr std::array<uint64_t, kDecimalsMax + 1> kPowers = {
        1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};
    const int missing = decimals - behind;
    return is_read && missing >= 0 && missing <= kDecimalsMax &&
           !__builtin_mul_overflow(digits, kPowers[static_cast<size_t>(missing)], &units) &&
           units <= uint64_t{INT64_MAX};
  }
};

// Like ParsePrice and ParseQuantity of the word's text, errors included.
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
