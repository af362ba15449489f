#include "engine/types/decimal.h"

#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"

namespace engine {
namespace {

TEST(Decimal, WritesAllDecimalsOfTheUnit) {
  EXPECT_EQ(FormatPrice(Price::FromUnits(5600), 4), "0.5600");
  EXPECT_EQ(FormatPrice(Price::FromUnits(3201400), 4), "320.1400");
  EXPECT_EQ(FormatPrice(Price::FromUnits(-5), 2), "-0.05");
  EXPECT_EQ(FormatPrice(Price::FromUnits(INT64_MIN), 0), "-9223372036854775808");
  EXPECT_EQ(FormatQuantity(Quantity::FromUnits(7), 0), "7");
  EXPECT_EQ(FormatQuantity(Quantity::FromUnits(1000), 2), "10.00");
}

TEST(Decimal, ReadsFewerDecimalsAndTrailingZeros) {
  EXPECT_EQ(ParsePrice("0.56", 4).value().units(), 5600);
  EXPECT_EQ(ParsePrice("1", 4).value().units(), 10000);
  EXPECT_EQ(ParsePrice("0.560000", 4).value().units(), 5600);
  EXPECT_EQ(ParsePrice("-0.05", 2).value().units(), -5);
  EXPECT_EQ(ParseQuantity("10", 2).value().units(), 1000u);
  EXPECT_EQ(ParsePrice("-9223372036854775808", 0).value().units(), INT64_MIN);
}

TEST(Decimal, RefusesAllButWholeNumbersOfUnits) {
  for (const char* text :
       {"", ".", "-", "-.5", ".5", "5.", "1e5", "0x10", " 1", "1 ", "+1", "1.2.3", "0.00001", "--1",
        "one", "9223372036854775808", "99999999999999999999"}) {
    EXPECT_FALSE(ParsePrice(text, 4).ok()) << text;
  }
  EXPECT_FALSE(ParseQuantity("-1", 0).ok());
  EXPECT_FALSE(ParseQuantity("0.1", 0).ok());
}

RC_GTEST_PROP(Decimal, ReadsWhatItWrites, ()) {
  const auto price = Price::FromUnits(*rc::gen::arbitrary<int64_t>());
  const auto quantity = Quantity::FromUnits(*rc::gen::arbitrary<uint64_t>());
  const int decimals = *rc::gen::inRange(0, kDecimalsMax + 1);
  RC_ASSERT(ParsePrice(FormatPrice(price, decimals), decimals).value() == price);
  RC_ASSERT(ParseQuantity(FormatQuantity(quantity, decimals), decimals).value() == quantity);
}

// The shortest form of a number: "-0.560" and "0.5600" are "-.56" and ".56".
std::string Digits(std::string text) {
  std::string sign;
  if (text.front() == '-') {
    sign = "-";
    text.erase(0, 1);
  }
  if (text.find('.') == std::string::npos) text += '.';
  text.erase(0, text.find_first_not_of('0'));
  text.erase(text.find_last_not_of('0') + 1);
  return text == "." ? text : sign + text;
}

RC_GTEST_PROP(Decimal, AcceptsNothingThatItWouldPrintDifferently, ()) {
  constexpr char kLetters[] = "0123456789.-+eE x,'";
  const int decimals = *rc::gen::inRange(0, kDecimalsMax + 1);
  std::string text = FormatPrice(Price::FromUnits(*rc::gen::arbitrary<int64_t>()), decimals);
  const int edits = *rc::gen::inRange(0, 4);
  for (int i = 0; i < edits && !text.empty(); ++i) {
    const auto at = *rc::gen::inRange<size_t>(0, text.size());
    const char letter = kLetters[*rc::gen::inRange<size_t>(0, sizeof(kLetters) - 1)];
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        text.erase(at, 1);
        break;
      case 1:
        text.insert(at, 1, letter);
        break;
      default:
        text[at] = letter;
    }
  }
  const auto price = ParsePrice(text, decimals);
  if (price.ok()) RC_ASSERT(Digits(FormatPrice(*price, decimals)) == Digits(text));
  const auto quantity = ParseQuantity(text, decimals);
  if (quantity.ok()) RC_ASSERT(Digits(FormatQuantity(*quantity, decimals)) == Digits(text));
}

}  // namespace
}  // namespace engine
