#include "engine/wire/text/decimal_word.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "engine/base/prng.h"
#include "engine/types/decimal.h"
#include "engine/wire/text/words.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

// However the first word of `line` is read, its value is the one that decimal.h gives its text.
void ExpectToMeanItsText(const std::string& line) {
  DecimalWord price;
  DecimalWord quantity;
  Words words(line);
  const bool is_price = words.TakePrice(price);
  Words again(line);
  const bool is_quantity = again.TakeQuantity(quantity);
  ASSERT_TRUE(is_price || !is_quantity) << line;
  for (int decimals = 0; decimals <= kDecimalsMax; ++decimals) {
    if (is_price) {
      EXPECT_EQ(ToPrice(price, decimals), ParsePrice(price.text, decimals)) << line;
    }
    if (is_quantity) {
      EXPECT_EQ(ToQuantity(quantity, decimals), ParseQuantity(quantity.text, decimals)) << line;
    }
  }
}

TEST(DecimalWord, HasTheValueOfItsText) {
  for (const char* text : {"0",
                           "1",
                           "-0",
                           "-1",
                           "0.5",
                           "-0.5",
                           "00012.3400",
                           "320.14",
                           "320.1400000000000",
                           "1.00001",
                           "9223372036854775807",
                           "-9223372036854775808",
                           "9223372036854775808",
                           "-9223372036854775809",
                           "18446744073709551615",
                           "18446744073709551616",
                           "922337203685477.5807",
                           "922337203685477.5808",
                           "-922337203685477.5808",
                           "123456789012345678",
                           "1234567890123456789",
                           "0.123456789012345678",
                           "999999999.999999999",
                           "99999999999999999999999999999999",
                           "0000000000000000000000000000001.5"}) {
    ExpectToMeanItsText(text);
  }
}

TEST(DecimalWord, HasTheValueOfItsTextForAnyNumber) {
  Prng prng(5);
  for (int i = 0; i < 100'000; ++i) {
    std::string text = prng.Chance(30) ? "-" : "";
    for (uint64_t digit = prng.Below(22); digit > 0; --digit) {
      absl::StrAppend(&text, prng.Chance(30) ? 0 : prng.Below(10));
    }
    if (prng.Chance(60)) text += ".";
    for (uint64_t digit = prng.Below(12); digit > 0; --digit) {
      absl::StrAppend(&text, prng.Chance(40) ? 0 : prng.Below(10));
    }
    if (prng.Chance(5)) text[prng.Below(text.size() + 1)] = static_cast<char>(prng.Next());
    ExpectToMeanItsText(text);
  }
}

TEST(DecimalWord, ShortNumbersAreReadOnce) {
  DecimalWord word;
  Words words("-320.1400 123456789012345678 1234567890123456789");
  ASSERT_TRUE(words.TakePrice(word));
  EXPECT_EQ(word.digits, 3'201'400u);
  EXPECT_EQ(word.decimal_count, 4);
  EXPECT_TRUE(word.is_negative);
  EXPECT_TRUE(word.is_read);
  ASSERT_TRUE(words.TakeQuantity(word));
  EXPECT_TRUE(word.is_read);
  EXPECT_EQ(word.digits, 123'456'789'012'345'678u);
  ASSERT_TRUE(words.TakeQuantity(word));
  EXPECT_FALSE(word.is_read);
  EXPECT_TRUE(words.TakeEnd());
}

}  // namespace
}  // namespace engine
