// Builds one reply line on the stack and appends it to the output as a whole.
//
//   ReplyLine().Text("ACK ").Number(7).Text(" order=").Number(8).EndInto(out);    ACK 7 order=8
//
// Most numbers are short: a number of at most eight digits is stored as one 8-byte word, regardless
// of its length, and the next piece overwrites the surplus bytes.

#ifndef ENGINE_WIRE_TEXT_REPLY_LINE_H_
#define ENGINE_WIRE_TEXT_REPLY_LINE_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/inline.h"

namespace engine {

// A number of at most eight decimal digits as text in one word, without branches.
//
//   1234  ─►  0 0 0 0 1 2 3 4  ─►  "00001234", the first digit in the lowest byte
//
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

// Not thread-safe: on the stack. A line has few pieces, all of them short (CHECK); text that may be
// long, such as an error's, is not written with it.
class ReplyLine {
 public:
  ReplyLine() = default;
  ReplyLine(const ReplyLine&) = delete;
  ReplyLine& operator=(const ReplyLine&) = delete;

  // A literal.
  template <size_t kBytesAndZero>
  ReplyLine& Text(const char (&text)[kBytesAndZero]) {
    std::memcpy(Take(kBytesAndZero - 1), text, kBytesAndZero - 1);
    return *this;
  }
  ReplyLine& Text(absl::string_view text) {
    std::memcpy(Take(text.size()), text.data(), text.size());
    return *this;
  }

  ReplyLine& Number(uint64_t value) {
    if (value >= EightDigits::kBound) [[unlikely]]
      return LongNumber(value);
    const EightDigits digits(value);
    const size_t count = digits.count();
    return Word(digits.Text(count), count);
  }

  // Prints exactly `decimals` digits after the point, and no point if `decimals` is 0, as
  // FormatPrice and FormatQuantity do. REQUIRES: 0 <= decimals <= kDecimalsMax.
  ReplyLine& Decimal(uint64_t units, int decimals) {
    if (decimals == 0) return Number(units);
    if (units >= EightDigits::kBound || static_cast<unsigned>(decimals) >= 8) [[unlikely]]
      return LongDecimal(units, decimals);
    const EightDigits digits(units);
    const auto fraction_count = static_cast<size_t>(decimals);
    const size_t before = std::max(digits.count(), fraction_count + 1) - fraction_count;
    const uint64_t text = digits.Text(before + fraction_count);
    Word(text, before);
    return Text(".").Word(text >> (8 * before), fraction_count);
  }
  ReplyLine& SignedDecimal(int64_t units, int decimals) {
    if (units < 0) Text("-");
    const auto bits = static_cast<uint64_t>(units);
    return Decimal(units < 0 ? -bits : bits, decimals);
  }

  void EndInto(std::string& out) {
    Text("\n");
    out.append(bytes_.data(), size_);
  }

 private:
  static constexpr size_t kBytesMax = 256;

  // Reserves room for the next piece. CHECKs that it fits.
  char* Take(size_t bytes) {
    if (bytes > kBytesMax - size_) [[unlikely]]
      FailTooLong(bytes);
    char* const begin = bytes_.data() + size_;
    size_ += bytes;
    return begin;
  }

  // Appends the first `bytes` bytes of the word. REQUIRES: bytes <= 8.
  ReplyLine& Word(uint64_t word, size_t bytes) {
    char* const at = Take(bytes);
    StoreLittleEndian(word, reinterpret_cast<std::byte*>(at));
    return *this;
  }

  ReplyLine& LongNumber(uint64_t value);
  ReplyLine& LongDecimal(uint64_t units, int decimals);
  [[noreturn]] ENGINE_COLD void FailTooLong(size_t bytes) const;

  size_t size_ = 0;
  std::array<char, kBytesMax + sizeof(uint64_t)> bytes_;  // A word is stored as a whole.
};

}  // namespace engine

#endif  // ENGINE_WIRE_TEXT_REPLY_LINE_H_
