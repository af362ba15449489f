#include "engine/wire/text/reply_line.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/prng.h"
#include "engine/types/decimal.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
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

std::string Ended(ReplyLine& line) {
  std::string out = "before\n";
  line.EndInto(out);
  return out;
}

TEST(ReplyLine, IsAppendedWithItsEnding) {
  ReplyLine line;
  line.Text("ACK ").Number(12).Text(absl::string_view(" order=")).Number(0);
  EXPECT_EQ(Ended(line), "before\nACK 12 order=0\n");
}

void ExpectToBeWrittenAsEverywhere(uint64_t value) {
  ReplyLine number;
  number.Number(value);
  EXPECT_EQ(Ended(number), absl::StrCat("before\n", value, "\n"));
  for (int decimals = 0; decimals <= kDecimalsMax; ++decimals) {
    ReplyLine quantity;
    quantity.Decimal(value, decimals);
    EXPECT_EQ(Ended(quantity),
              absl::StrCat("before\n", FormatQuantity(Quantity::FromUnits(value), decimals), "\n"));
    const auto signed_value = static_cast<int64_t>(value);
    ReplyLine price;
    price.SignedDecimal(signed_value, decimals);
    EXPECT_EQ(
        Ended(price),
        absl::StrCat("before\n", FormatPrice(Price::FromUnits(signed_value), decimals), "\n"));
  }
}

TEST(ReplyLine, WritesNumbersAsTheyAreWrittenEverywhere) {
  ExpectToBeWrittenAsEverywhere(0);
  ExpectToBeWrittenAsEverywhere(~uint64_t{0});
  ExpectToBeWrittenAsEverywhere(uint64_t{1} << 63);
  for (uint64_t power = 1; power <= ~uint64_t{0} / 10; power *= 10) {
    for (const uint64_t value : {power - 1, power, power + 1, power * 10 - 1}) {
      ExpectToBeWrittenAsEverywhere(value);
    }
  }
  for (int bit = 0; bit < 64; ++bit) {
    ExpectToBeWrittenAsEverywhere((uint64_t{1} << bit) - 1);
    ExpectToBeWrittenAsEverywhere(uint64_t{1} << bit);
  }
  Prng prng(2);
  for (int i = 0; i < 20'000; ++i) ExpectToBeWrittenAsEverywhere(prng.Next() >> prng.Below(64));
}

TEST(ReplyLine, ALineThatIsTooLongIsACheckFailure) {
  const std::string piece(100, 'x');
  EXPECT_DEATH(ReplyLine().Text(piece).Text(piece).Text(piece), "a reply of 200 bytes and 100");
}

}  // namespace
}  // namespace engine
