#include "engine/wire/kalshi/numbers.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/timestamp.h"
#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"

namespace engine::kalshi {
namespace {

std::string Text(Count count) {
  std::string out;
  AppendCount(count, out);
  return out;
}

std::string Text(Price price) {
  std::string out;
  AppendPrice(price, out);
  return out;
}

std::string Text(Money money) {
  std::string out;
  AppendMoney(money, out);
  return out;
}

std::string TimeText(const char* time) {
  std::string out;
  AppendTime(*Timestamp::Parse(time), out);
  return out;
}

TEST(NumbersTest, ReadsCountsWithUpToTwoDecimals) {
  EXPECT_EQ(ParseCount("5"), Count::FromHundredths(500));
  EXPECT_EQ(ParseCount("5.2"), Count::FromHundredths(520));
  EXPECT_EQ(ParseCount("5.25"), Count::FromHundredths(525));
  EXPECT_EQ(ParseCount("0"), Count());
  EXPECT_EQ(ParseCount("0010.00"), Count::FromHundredths(1'000));
  EXPECT_EQ(ParseCount("9999999999999999.99"), Count::FromHundredths(999'999'999'999'999'999));
}

TEST(NumbersTest, ReadsPricesWithUpToFourDecimals) {
  EXPECT_EQ(ParsePrice("0.56"), Price::FromUnits(5'600));
  EXPECT_EQ(ParsePrice("0.5600"), Price::FromUnits(5'600));
  EXPECT_EQ(ParsePrice("0.5"), Price::FromUnits(5'000));
  EXPECT_EQ(ParsePrice("1"), kOneDollar);
  EXPECT_EQ(ParsePrice("0.0001"), Price::FromUnits(1));
}

TEST(NumbersTest, RefusesAllOtherTexts) {
  for (const char* text :
       {"", ".", "-1", "+1", " 1", "1 ", "1.", ".5", "1..2", "1.2.3", "1e2", "1.00001", "0x1",
        "1,5", "nan", "inf", "\xD9\xA1", "1000000000000000000", "0000000000000000000.5"}) {
    EXPECT_EQ(ParseCount(text), std::nullopt) << text;
    EXPECT_EQ(ParsePrice(text), std::nullopt) << text;
  }
  EXPECT_EQ(ParseCount("1.001"), std::nullopt);
  EXPECT_EQ(ParsePrice("999999999999999999"), std::nullopt);  // Does not fit in 10^-4.
  EXPECT_EQ(ParseCount(absl::string_view("1\0", 2)), std::nullopt);
}

TEST(NumbersTest, WritesAllDecimals) {
  EXPECT_EQ(Text(Count::FromHundredths(1'000)), "10.00");
  EXPECT_EQ(Text(Count::FromHundredths(-300)), "-3.00");
  EXPECT_EQ(Text(Count::FromHundredths(-5)), "-0.05");
  EXPECT_EQ(Text(Count()), "0.00");
  EXPECT_EQ(Text(Count::FromHundredths(INT64_MIN)), "-92233720368547758.08");
  EXPECT_EQ(Text(Price::FromUnits(5'600)), "0.5600");
  EXPECT_EQ(Text(Price::FromUnits(1)), "0.0001");
  EXPECT_EQ(Text(kOneDollar), "1.0000");
  EXPECT_EQ(Text(Money::FromMicros(17'500)), "0.017500");
  EXPECT_EQ(Text(Money::FromMicros(-1)), "-0.000001");
}

TEST(NumbersTest, BalancesAndCentsAreTruncated) {
  std::string out;
  AppendBalance(Money::FromMicros(98'018'699), out);
  AppendBalance(Money::FromMicros(-99), out);
  EXPECT_EQ(out, "98.01860.0000");
  EXPECT_EQ(ToCents(Money::FromMicros(98'018'600)), 9'801);
  EXPECT_EQ(ToCents(Money::FromMicros(-9'999)), 0);
}

TEST(NumbersTest, TheOtherLegCostsTheRest) {
  EXPECT_EQ(Complement(Price::FromUnits(4'700)), Price::FromUnits(5'300));
  EXPECT_EQ(Complement(Price()), kOneDollar);
}

TEST(NumbersTest, TimesLoseTheirTrailingZeros) {
  EXPECT_EQ(TimeText("2026-06-11T05:39:31.285630000Z"), "2026-06-11T05:39:31.28563Z");
  EXPECT_EQ(TimeText("2026-06-11T05:39:31.000000999Z"), "2026-06-11T05:39:31Z");
  EXPECT_EQ(TimeText("2026-06-11T05:39:31.000001Z"), "2026-06-11T05:39:31.000001Z");
  EXPECT_EQ(TimeText("2024-02-29T23:59:59.1Z"), "2024-02-29T23:59:59.1Z");
  EXPECT_EQ(TimeText("1970-01-01T00:00:00Z"), "1970-01-01T00:00:00Z");
  EXPECT_EQ(TimeText("1969-12-31T23:59:59.999999Z"), "1969-12-31T23:59:59.999999Z");
}

TEST(NumbersTest, SecondsAndMillisecondsAreRoundedDown) {
  const Timestamp before = Timestamp::FromNanos(-1);
  EXPECT_EQ(ToSeconds(before), -1);
  EXPECT_EQ(ToMillis(before), -1);
  EXPECT_EQ(ToSeconds(Timestamp::FromNanos(1'999'999'999)), 1);
  EXPECT_EQ(ToMillis(Timestamp::FromNanos(1'999'999'999)), 1'999);
  EXPECT_EQ(ToSeconds(Timestamp::Min()), -9'223'372'037);
}

RC_GTEST_PROP(NumbersProperty, ReadsWhatItWrites, ()) {
  const auto units = *rc::gen::inRange<int64_t>(0, 100'000'000'000'000);
  RC_ASSERT(ParseCount(Text(Count::FromHundredths(units))) == Count::FromHundredths(units));
  RC_ASSERT(ParsePrice(Text(Price::FromUnits(units))) == Price::FromUnits(units));
}

// Timestamp::ToString() is another implementation: nine decimals, none stripped.
RC_GTEST_PROP(NumbersProperty, TimesAgreeWithTheEnginesText, ()) {
  const auto time = Timestamp::FromNanos(*rc::gen::arbitrary<int64_t>());
  std::string expected = time.ToString();
  expected.resize(expected.size() - 4);  // Three decimals and Z.
  while (expected.back() == '0') expected.pop_back();
  if (expected.back() == '.') expected.pop_back();
  std::string out;
  AppendTime(time, out);
  RC_ASSERT(out == absl::StrCat(expected, "Z"));
}

RC_GTEST_PROP(NumbersProperty, TimesAgreeAtTheEndsOfDaysAndYears, ()) {
  const auto day = *rc::gen::inRange<int64_t>(-100'000, 100'000);
  const auto off = *rc::gen::element<int64_t>(-1'000, 0, 1'000);
  const auto time = Timestamp::FromNanos(day * 86'400'000'000'000 + off);
  std::string out;
  AppendTime(time, out);
  RC_ASSERT(Timestamp::Parse(out).value() == time);
}

}  // namespace
}  // namespace engine::kalshi
