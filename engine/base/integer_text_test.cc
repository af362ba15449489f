#include "engine/base/integer_text.h"

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"

namespace engine {
namespace {

template <typename Int>
void ExpectRefused(const std::string& text) {
  Int value = 42;
  EXPECT_FALSE(ParseInteger(text, value)) << "'" << text << "'";
  EXPECT_EQ(value, Int{42}) << "'" << text << "'";
}

TEST(IntegerText, RefusesEverythingButDigits) {
  for (const char* text :
       {"", " ", "-", "+1", " 1", "1 ", "\t1", "1\n", "0x1", "1.0", "1e3", "--1", "-+1", "1-",
        "one", "18446744073709551616", "99999999999999999999999999999999999999999999"}) {
    ExpectRefused<uint64_t>(text);
    ExpectRefused<int64_t>(text);
    ExpectRefused<uint8_t>(text);
  }
  ExpectRefused<uint64_t>("-1");
  ExpectRefused<uint64_t>("-0");
  ExpectRefused<int64_t>("9223372036854775808");
  ExpectRefused<int64_t>("-9223372036854775809");
  ExpectRefused<uint8_t>("256");
  ExpectRefused<uint64_t>(std::string("1\0", 2));
}

TEST(IntegerText, ReadsHexadecimalDigits) {
  uint32_t value = 0;
  EXPECT_TRUE(ParseInteger("00fF", value, 16));
  EXPECT_EQ(value, 255u);
  for (const char* text : {"0x1", " 1", "+1", "g", ""}) {
    EXPECT_FALSE(ParseInteger(text, value, 16)) << text;
  }
}

RC_GTEST_PROP(IntegerText, ReadsEveryNumberAsItIsPrinted, ()) {
  const auto wide = *rc::gen::arbitrary<uint64_t>();
  uint64_t unsigned_value = 0;
  RC_ASSERT(ParseInteger(absl::StrCat(wide), unsigned_value) && unsigned_value == wide);
  const auto number = *rc::gen::arbitrary<int64_t>();
  int64_t signed_value = 0;
  RC_ASSERT(ParseInteger(absl::StrCat(number), signed_value) && signed_value == number);
  uint16_t narrow = 0;
  RC_ASSERT(ParseInteger(absl::StrCat(wide), narrow) == (wide <= UINT16_MAX));
}

}  // namespace
}  // namespace engine
