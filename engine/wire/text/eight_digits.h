// A number of at most eight decimal digits as text in one word, without branches.
//
//   1234  ─►  0 0 0 0 1 2 3 4  ─►  "00001234", the first digit in the lowest byte

#ifndef ENGINE_WIRE_TEXT_EIGHT_DIGITS_H_
#define ENGINE_WIRE_TEXT_EIGHT_DIGITS_H_

#include <bit>
#include <cstddef>
#include <cstdint>

namespace engine {

// A regular value type.
class EightDigits {
 public:
  static constexpr uint64_t kBound = 100'000'000;

  // REQUIRES: value < kBound.
  explicit constexpr EightDigits(uint64_t value) {
    // Splits into halves of four digits, pairs, and single digits; the high part of each goes to
    // the lower bits. The factors are 2^20 / 100 and 2^10 / 10, rounded up: exact for so few
    // digits.
    const uint64_t halves = value / 10'000 | (value % 10'000) << 32;
    const uint64_t hundreds = (halves * 10'486 >> 20) & 0x0000'007f'0000'007f;
    const uint64_t quarters = hundreds | (halves - 100 * hundreds) << 16;
    const uint64_t tens = (quarters * 103 >> 10) & 0x000f'000f'000f'000f;
    values_ = tens | (quarters - 10 * tens) << 8;
  }

  // The number of digits without leading zeros; 0 has one digit.
  constexpr size_t count() const {
    constexpr uint64_t kLastDigit = uint64_t{1} << 56;
    return 8 - static_cast<size_t>(std::countr_zero(values_ | kLastDigit)) / 8;
  }

  // Its last `count` digits, the first of them in the lowest byte, followed by zero bytes.
  constexpr uint64_t Text(size_t count) const {
    return (values_ | 0x3030'3030'3030'3030) >> (8 * (8 - count));
  }

 private:
  uint64_t values_;
};

}  // namespace engine

#endif  // ENGINE_WIRE_TEXT_EIGHT_DIGITS_H_
