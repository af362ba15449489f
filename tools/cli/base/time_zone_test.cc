#include "tools/cli/base/time_zone.h"

#include <optional>
#include <string>

#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "engine/base/timestamp.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tools {
namespace {

using absl::CivilDay;
using engine::Timestamp;
using testing::HasSubstr;

absl::TimeZone NewYork() { return FindTimeZone("America/New_York").value(); }

TEST(TimeZoneTest, FindsZonesByName) {
  EXPECT_EQ(NewYork().name(), "America/New_York");
  EXPECT_TRUE(FindTimeZone("UTC").ok());
  EXPECT_TRUE(FindTimeZone("local").ok());
  for (const char* name : {"", "Mars", "../../../etc/passwd", "/etc/passwd", "America"}) {
    const auto zone = FindTimeZone(name);
    ASSERT_FALSE(zone.ok()) << name;
    EXPECT_THAT(zone.status().message(), HasSubstr("expected e.g. America/New_York, UTC or local"));
  }
}

TEST(TimeZoneTest, ADayBeginsAtItsMidnightInWinterAndSummer) {
  EXPECT_EQ(BeginOf(CivilDay(2020, 1, 30), NewYork()).value(),
            Timestamp::Parse("2020-01-30T05:00:00Z").value());
  EXPECT_EQ(BeginOf(CivilDay(2019, 7, 30), NewYork()).value(),
            Timestamp::Parse("2019-07-30T04:00:00Z").value());
  EXPECT_FALSE(BeginOf(CivilDay(1500, 1, 1), NewYork()).ok());
  EXPECT_FALSE(BeginOf(CivilDay(2262, 1, 1), NewYork()).ok());
}

TEST(TimeZoneTest, TimesInATextAreThoseOfTheZone) {
  EXPECT_EQ(
      WithTimesIn("7 2020-01-30T14:30:00.000000001Z bid expires=2020-07-01T00:00:00.000000000Z",
                  NewYork()),
      "7 2020-01-30T09:30:00.000000001-05:00 bid expires=2020-06-30T20:00:00.000000000-04:00");
  // Not times: too few decimals, no such day, or no time at all.
  for (const char* text : {"2020-01-30T14:30:00Z", "2020-02-30T14:30:00.000000001Z", "Z", "",
                           "XYZ ZZZ", "2020-01-30 14:30:00.000000001Z"}) {
    EXPECT_EQ(WithTimesIn(text, NewYork()), text);
  }
}

TEST(TimeZoneTest, WhatItPrintsIsTheSameMoment) {
  const auto time = Timestamp::FromNanos(1'580'376'600'123'456'789);
  EXPECT_EQ(Timestamp::Parse(TimeIn(time, NewYork())).value(), time);
}

TEST(TimeZoneTest, WrittenTimesAreReadInUtcOrInTheZone) {
  const auto in_new_york = [](const char* text) { return WithTimesInUtc(text, NewYork()).value(); };
  EXPECT_EQ(in_new_york("@2020-01-30 09:30:00.5..@2020-07-30T09:30"),
            "@2020-01-30T14:30:00.500000000Z..@2020-07-30T13:30:00.000000000Z");
  EXPECT_EQ(in_new_york("time >= 1969-12-31 18:59:59.25 && price > 3"),
            "time >= 1969-12-31T23:59:59.250000000Z && price > 3");
  // What has an offset is of no zone.
  for (const char* text : {"@2020-01-30 14:30:00Z", "@2020-01-30T09:30-05:00"}) {
    EXPECT_EQ(WithTimesInUtc(text, std::nullopt).value(), "@2020-01-30T14:30:00.000000000Z");
    EXPECT_EQ(in_new_york(text), "@2020-01-30T14:30:00.000000000Z");
  }
  for (const char* text : {"", "@7..+20", "2020-01-30", "@order:2020", "2020-02-30 09:30:00",
                           "12020-01-30 09:30:00", "2020-01-30 09:30:00.1234567891"}) {
    EXPECT_EQ(WithTimesInUtc(text, std::nullopt).value(), text);
  }
  EXPECT_THAT(WithTimesInUtc("@2020-01-30 09:30:00", std::nullopt).status().message(),
              HasSubstr("'2020-01-30 09:30:00' is a time of no zone; expected an offset"));
  EXPECT_THAT(WithTimesInUtc("@2020-03-08 02:30:00", NewYork()).status().message(),
              HasSubstr("the clocks of America/New_York skip '2020-03-08 02:30:00'"));
  EXPECT_THAT(WithTimesInUtc("@2020-11-01 01:30:00", NewYork()).status().message(),
              HasSubstr("twice; expected an offset from UTC, as in 2020-11-01T01:30:00"));
}

TEST(TimeZoneTest, ParsesDays) {
  EXPECT_EQ(ParseDay("2020-01-30").value(), CivilDay(2020, 1, 30));
  EXPECT_EQ(ParseDay("20200130").value(), CivilDay(2020, 1, 30));
  for (const char* text : {"", "2020-1-30", "2020-02-30", "20200230", "2020-01-301", "yesterday",
                           "2020 0130", "2020013"}) {
    EXPECT_FALSE(ParseDay(text).ok()) << text;
  }
}

TEST(TimeZoneTest, FindsTheDayInAFileName) {
  const CivilDay day(2020, 1, 30);
  for (const char* path :
       {"01302020.NASDAQ_ITCH50.gz", "S013020-v50.txt.gz", "nasdaq_itch50_20200130_open.itch",
        "/data/2019/2020-01-30.itch", "AAPL_2020-01-30_34200000_57600000_message_10.csv",
        "20200130_20200130.itch"}) {
    EXPECT_EQ(DayInFileName(path), day) << path;
  }
  for (const char* path :
       {"", "-", "day.itch", "/data/20200130/day.itch", "20200230.itch", "120200130.itch",
        "013020.itch", "20200130_20200131.itch", "30012020.itch"}) {
    EXPECT_EQ(DayInFileName(path), std::nullopt) << path;
  }
}

TEST(TimeZoneTest, TheDateComesBeforeTheNameOfTheFile) {
  const std::string zone = "America/New_York";
  EXPECT_EQ(MidnightOf("01302020.NASDAQ_ITCH50", std::nullopt, zone).value(),
            Timestamp::Parse("2020-01-30T05:00:00Z").value());
  EXPECT_EQ(MidnightOf("01302020.NASDAQ_ITCH50", "2019-07-30", zone).value(),
            Timestamp::Parse("2019-07-30T04:00:00Z").value());
  EXPECT_THAT(MidnightOf("-", std::nullopt, zone).status().message(),
              HasSubstr("'-': of which day?"));
  EXPECT_THAT(MidnightOf("01302020", "30.1.2020", zone).status().message(),
              HasSubstr("--date: '30.1.2020' is not a day; expected e.g. 2020-01-30"));
}

}  // namespace
}  // namespace tools
