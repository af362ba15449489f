#include "engine/wire/kalshi/digits.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/wire/kalshi/plain_text.h"
#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"

namespace engine::kalshi {
namespace {

// Exactly as large as the text: reading beyond it is an error of the sanitizers.
std::string Exact(absl::string_view text) {
  std::string copy(text);
  copy.shrink_to_fit();
  return copy;
}

TEST(Digits, AreCountedAndReadAtAnyLengthAndRest) {
  const std::string digits = "9081726354901827";
  for (size_t count = 0; count <= kDigitsMax; ++count) {
    for (size_t rest = 0; rest <= 20; ++rest) {
      const std::string text = Exact(
          absl::StrCat(digits.substr(0, count), std::string(rest, rest % 2 == 0 ? '/' : ':')));
      ASSERT_EQ(DigitCount(text), count) << text;
      uint64_t expected = 0;
      for (size_t i = 0; i < count; ++i) expected = expected * 10 + (digits[i] - '0');
      ASSERT_EQ(DigitsValue(text, count), static_cast<int64_t>(expected)) << text;
    }
  }
  EXPECT_EQ(DigitCount("12345678901234567890"), kDigitsMax);
  EXPECT_EQ(DigitsValue("9999999999999999", kDigitsMax), 9'999'999'999'999'999);
}

RC_GTEST_PROP(Digits, AreThoseThatALoopFinds, (const std::string& bytes)) {
  size_t count = 0;
  while (count < bytes.size() && count < kDigitsMax && '0' <= bytes[count] && bytes[count] <= '9') {
    ++count;
  }
  RC_ASSERT(DigitCount(bytes) == count);
}

TEST(PlainText, EndsAtEveryByteThatIsNotPlainAndAtNoOther) {
  for (int value = 0; value < 256; ++value) {
    const auto byte = static_cast<char>(value);
    const bool is_plain = value >= ' ' && value < 0x80 && byte != '"' && byte != '\\';
    for (size_t before = 0; before <= 40; ++before) {
      const std::string text = Exact(absl::StrCat(std::string(before, 'a'), std::string(1, byte)));
      ASSERT_EQ(PlainSize(text), is_plain ? text.size() : before) << value;
    }
  }
}

}  // namespace
}  // namespace engine::kalshi
