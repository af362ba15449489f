#include "engine/base/timestamp.h"

#include "gtest/gtest.h"

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

TEST(Timestamp, RefusesWhatIsNotATime) {
  for (const char* text :
       {"", "Z", "yesterday", "2020-01-30", "2020-01-30T09:30:00", "2020-13-30T09:30:00Z",
        "2020-01-30T09:30:00.1234567891Z", "9999-01-30T09:30:00Z", "2020-01-30T09:30:00Zx"}) {
    EXPECT_FALSE(Timestamp::Parse(text).ok()) << text;
  }
}

}  // namespace
}  // namespace engine
