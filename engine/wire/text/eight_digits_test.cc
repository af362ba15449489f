#include "engine/wire/text/eight_digits.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_format.h"
#include "engine/base/prng.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

std::string TextOf(const EightDigits& digits, size_t count) {
  std::string text;
  for (uint64_t word = digits.Text(count); word != 0; word >>= 8) {
    text += static_cast<char>(word & 0xff);
  }
  return text;
}

void ExpectItsText(uint64_t value) {
  const std::string all = absl::StrFormat("%08d", value);
  const EightDigits digits(value);
  EXPECT_EQ(digits.count(), absl::StrFormat("%d", value).size()) << value;
  for (size_t count = 1; count <= 8; ++count) {
    EXPECT_EQ(TextOf(digits, count), all.substr(8 - count)) << value;
  }
}

TEST(EightDigits, AreTheLastOfTheNumberWithZerosInFront) {
  for (uint64_t value = 0; value < 10'000; ++value) ExpectItsText(value);
  for (uint64_t value = 0; value < EightDigits::kBound; value += 9'999) ExpectItsText(value);
  for (uint64_t power = 10; power <= EightDigits::kBound; power *= 10) ExpectItsText(power - 1);
  Prng prng(1);
  for (int i = 0; i < 20'000; ++i) ExpectItsText(prng.Below(EightDigits::kBound));
}

}  // namespace
}  // namespace engine
