#include "engine/base/timestamp.h"

#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"

namespace engine {
namespace {

TEST(Timestamp, PrintsNineDecimalsInUtc) {
  EXPECT_EQ(Timestamp().ToString(), "1970-01-01T00:00:00.000000000Z");
  EXPECT_EQ(Timestamp::FromNanos(1'580'376'600'123'456'789).ToString(),
            "2020-01-30T09:30:00.123456789Z");
  EXPECT_EQ(Timestamp::FromNanos(-1).ToString(), "1969-12-31T23:59:59.999999999Z");
}

TEST(Timestamp, ParsesWhatItPrints) {
  for (const int64_t nanos :
       {INT64_MIN, int64_t{-1}, int64_t{0}, int64_t{1'580'376'600'123'456'789}, INT64_MAX}) {
    const Timestamp time = Timestamp::FromNanos(nanos);
    const auto parsed = Timestamp::Parse(time.ToString());
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(*parsed, time);
  }
}

TEST(Timestamp, ParsesFewerDecimals) {
  EXPECT_EQ(Timestamp::Parse("1970-01-01T00:00:01Z").value().nanos(), 1'000'000'000);
  EXPECT_EQ(Timestamp::Parse("1970-01-01T00:00:01.5Z").value().nanos(), 1'500'000'000);
}

TEST(Timestamp, ParsesABlankAndOffsets) {
  const auto expected = Timestamp::FromNanos(1'580'376'600'500'000'000);
  for (const char* text : {"2020-01-30T09:30:00.5Z", "2020-01-30 09:30:00.5Z",
                           "2020-01-30T04:30:00.5-05:00", "2020-01-30 04:30:00.500-05:00",
                           "2020-01-30T15:00:00.5+05:30", "2020-01-31T09:29:00.5+23:59",
                           "2020-01-30T09:30:00.5+00:00", "2020-01-30T09:30:00.5-00:00"}) {
    const auto parsed = Timestamp::Parse(text);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(*parsed, expected) << text;
  }
}

TEST(Timestamp, RefusesWhatIsNotATime) {
  for (const char* text :
       {"", "Z", "yesterday", "2020-01-30", "2020-01-30T09:30:00", "2020-13-30T09:30:00Z",
        "2020-01-30T09:30:00.1234567891Z", "9999-01-30T09:30:00Z", "2020-01-30T09:30:00Zx",
        // Not a time of day.
        "2020-01-30T12:00:60Z", "2020-01-30T12:60:00Z", "2020-01-30T24:00:00Z",
        "2020-02-30T12:00:00Z", "2021-02-29T12:00:00Z", "2020-00-30T12:00:00Z",
        "2020-01-00T12:00:00Z", "2020-01-32T12:00:00Z",
        // Another form.
        "2027-1-1T0:0:0Z", "2027-01-01T00:00:0Z", "2027-01-01T00:00:00.Z", "2027-01-01t00:00:00Z",
        "2027-01-01T00:00:00z", " 2027-01-01T00:00:00Z", "2027-01-01T00:00:00Z ",
        "+2027-01-01T00:00:00Z", "02027-01-01T00:00:00Z", "-2027-01-01T00:00:00Z",
        "2027-01-01T00:00:00,5Z", "2027-01-01T00:00:+1Z", "2027-01-01T00:00:00.-1Z",
        "infinite-pastZ", "2027-01-01T00:00:00.1 Z",
        // No offset from UTC.
        "2027-01-01T00:00:00-5:00", "2027-01-01T00:00:00-0500", "2027-01-01T00:00:00-05",
        "2027-01-01T00:00:00-24:00", "2027-01-01T00:00:00-05:60", "2027-01-01T00:00:00 -05:00",
        "2027-01-01T00:00:00Z-05:00", "2027-01-01T00:00:00-05:00Z", "2027-01-01T00:00:00 EST",
        "2027-01-01 00:00:00", "2027-01-01  00:00:00Z",
        // Just outside.
        "1677-09-21T00:12:43.145224192+00:01", "2262-04-11T23:47:16.854775807-00:01",
        "1677-09-21T00:12:43.145224191Z", "2262-04-11T23:47:16.854775808Z"}) {
    EXPECT_FALSE(Timestamp::Parse(text).ok()) << text;
  }
}

RC_GTEST_PROP(Timestamp, ParsesEverythingItPrints, ()) {
  const auto time = Timestamp::FromNanos(*rc::gen::arbitrary<int64_t>());
  RC_ASSERT(Timestamp::Parse(time.ToString()).value() == time);
}

// Each text that is accepted has the meaning that RFC 3339 gives it.
RC_GTEST_PROP(Timestamp, ParsesAsTheTimeLibraryDoes, ()) {
  constexpr absl::string_view kLetters = "0123456789-:.TZ +tz,6";
  std::string text = Timestamp::FromNanos(*rc::gen::arbitrary<int64_t>()).ToString();
  if (*rc::gen::arbitrary<bool>()) text.replace(text.size() - 1, 1, "-03:30");
  const int edits = *rc::gen::inRange(1, 4);
  for (int i = 0; i < edits && !text.empty(); ++i) {
    const auto at = *rc::gen::inRange<size_t>(0, text.size());
    const char letter = kLetters[*rc::gen::inRange<size_t>(0, kLetters.size())];
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
  const auto parsed = Timestamp::Parse(text);
  if (!parsed.ok()) return;
  if (text[10] == ' ') text[10] = 'T';
  absl::Time expected;
  std::string error;
  RC_ASSERT(absl::ParseTime(absl::RFC3339_full, text, &expected, &error));
  RC_ASSERT(parsed->nanos() == absl::ToUnixNanos(expected));
}

}  // namespace
}  // namespace engine
