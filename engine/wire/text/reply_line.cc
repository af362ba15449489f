#include "engine/wire/text/reply_line.h"

#include <algorithm>
#include <bit>

#include "engine/types/decimal.h"

namespace engine {
namespace {

// "00" "01" ... "99".
constexpr std::array<char, 200> kPairs = [] {
  std::array<char, 200> pairs = {};
  for (size_t i = 0; i < 100; ++i) {
    pairs[2 * i] = static_cast<char>('0' + i / 10);
    pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return pairs;
}();

constexpr std::array<uint64_t, 20> kPowers = [] {
  std::array<uint64_t, 20> powers = {1};
  for (size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

size_t DigitCount(uint64_t value) {
  // 1233/4096 is a little more than log10(2): at most one too many.
  const auto guess = static_cast<size_t>(std::bit_width(value | 1)) * 1233 >> 12;
  return guess + (value >= kPowers[guess] ? 1 : 0);
}

// Writes the digits of `value` before `end`, exactly `count` of them. REQUIRES: it has no more.
void WriteDigits(uint64_t value, size_t count, char* end) {
  for (; count >= 2; count -= 2) {
    end -= 2;
    std::memcpy(end, &kPairs[2 * (value % 100)], 2);
    value /= 100;
  }
  if (count == 1) *(end - 1) = static_cast<char>('0' + value % 10);
}

}  // namespace

ReplyLine& ReplyLine::Number(uint64_t value) {
  const size_t count = std::max<size_t>(DigitCount(value), 1);
  WriteDigits(value, count, Take(count) + count);
  return *this;
}

ReplyLine& ReplyLine::Decimal(uint64_t units, int decimals) {
  CHECK(decimals >= 0 && decimals <= kDecimalsMax) << decimals;
  if (decimals == 0) return Number(units);
  const auto behind = static_cast<size_t>(decimals);
  const size_t count = std::max(DigitCount(units), behind + 1);
  // All digits a place too far to the right, then those before the point back to theirs.
  char* const begin = Take(count + 1);
  WriteDigits(units, count, begin + count + 1);
  const size_t before = count - behind;
  for (size_t i = 0; i < before; ++i) begin[i] = begin[i + 1];
  begin[before] = '.';
  return *this;
}

}  // namespace engine
