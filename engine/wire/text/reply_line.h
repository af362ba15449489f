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
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/inline.h"
#include "engine/wire/text/eight_digits.h"

namespace engine {

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
