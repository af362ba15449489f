#include "tools/cli/read/selector.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/base/timestamp.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/testing/sample_journal.h"

namespace tools {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(PositionTest, IsASequenceNumberWithOrWithoutTheMark) {
  const Position expected = {.kind = Position::Kind::kSequence, .number = 1234567, .time = {}};
  EXPECT_EQ(*ParsePosition("1234567"), expected);
  EXPECT_EQ(*ParsePosition("@1234567"), expected);
}

TEST(PositionTest, OfAnOrderIsTheCommandThatCreatedIt) {
  EXPECT_EQ(*ParsePosition("@order:998877"), *ParsePosition("@998877"));
}

TEST(PositionTest, MayCountFromTheEnd) {
  EXPECT_EQ(ParsePosition("@-1000")->kind, Position::Kind::kFromEnd);
  EXPECT_EQ(ParsePosition("@-1000")->number, 1000u);
}

TEST(PositionTest, MayBeATimeWithNineDecimals) {
  const auto position = ParsePosition("@2026-08-22T09:30:00.123456789Z");
  ASSERT_TRUE(position.ok());
  EXPECT_EQ(position->kind, Position::Kind::kTime);
  EXPECT_EQ(position->time.ToString(), "2026-08-22T09:30:00.123456789Z");
}

TEST(PositionTest, MayBeATimeSinceTheStartInAnyUnit) {
  const auto nanos = [](absl::string_view text) { return ParsePosition(text)->number; };
  EXPECT_EQ(nanos("@+7ns"), 7u);
  EXPECT_EQ(nanos("@+7us"), 7'000u);
  EXPECT_EQ(nanos("@+7ms"), 7'000'000u);
  EXPECT_EQ(nanos("@+7s"), 7'000'000'000u);
  EXPECT_EQ(nanos("@+7m"), 420'000'000'000u);
  EXPECT_EQ(nanos("@+7h"), 25'200'000'000'000u);
}

TEST(PositionTest, RefusesEverythingElseWithExamples) {
  for (const char* text : {"",
                           "@",
                           "five",
                           "-5",
                           "@@5",
                           "@-",
                           "@-0",
                           "@--1",
                           "@+5",
                           "@+s",
                           "@+5d",
                           "@+5 s",
                           "@+-5s",
                           "@order:",
                           "@order:x",
                           "order:5",
                           "@ 5",
                           " 5",
                           "5 ",
                           "+5",
                           "5.0",
                           "0x10",
                           "1e3",
                           "18446744073709551616",
                           "@+18446744073709551615h",
                           "@+9223372036854775808ns",
                           "2026-08-22T09:30:00Z",
                           "@2026-08-22",
                           "@2026-08-22T09:30:00.1234567891Z"}) {
    const auto position = ParsePosition(text);
    EXPECT_EQ(position.status().code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(position.status().message(), AllOf(HasSubstr(text), HasSubstr("@order:998877")));
  }
}

TEST(RangeTest, HasOptionalEnds) {
  EXPECT_EQ(*ParseRange(".."), Range());
  EXPECT_EQ(ParseRange("@5..9")->first, *ParsePosition("5"));
  EXPECT_EQ(ParseRange("@5..9")->last, *ParsePosition("9"));
  EXPECT_EQ(ParseRange("5..")->last, std::nullopt);
  EXPECT_EQ(ParseRange("..9")->first, std::nullopt);
  EXPECT_EQ(ParseRange("5..+500")->count, 500u);
  EXPECT_EQ(ParseRange("5..+500ms")->nanos, 500'000'000u);
  EXPECT_EQ(ParseRange("5..+500ms")->count, std::nullopt);
}

TEST(RangeTest, RefusesWhatIsNone) {
  for (const char* text : {"", "..+0", "1..+", "1..+x", "1..+-3", "1..2..3", "1...2", "a..b",
                           "1..+18446744073709551616"}) {
    EXPECT_EQ(ParseRange(text).status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
}

// The sample: records 1 to 15, a second apart from 09:30:00 on.
class ResolveTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { path_ = new std::string(WriteSampleJournal("selector")); }
  static void TearDownTestSuite() { delete path_; }

  ResolveTest() {
    auto opened = OpenJournal(*path_);
    CHECK_OK(opened.status());
    opened_ = *std::move(opened);
  }

  // "3..7", or the error's message.
  std::string RangeOf(const std::string& text) {
    const auto range = ResolveRange(text, *opened_.reader);
    if (!range.ok()) return std::string(range.status().message());
    return absl::StrCat(range->first.value(), "..", range->last.value());
  }
  absl::StatusCode CodeOf(const std::string& text) {
    return ResolveRange(text, *opened_.reader).status().code();
  }

  static inline std::string* path_ = nullptr;
  OpenedJournal opened_;
};

TEST_F(ResolveTest, NothingMeansEverything) {
  EXPECT_EQ(RangeOf(""), "1..15");
  EXPECT_EQ(RangeOf(".."), "1..15");
}

TEST_F(ResolveTest, BothEndsAreIncluded) {
  EXPECT_EQ(RangeOf("3..7"), "3..7");
  EXPECT_EQ(RangeOf("@3..@3"), "3..3");
  EXPECT_EQ(RangeOf("3"), "3..3");
  EXPECT_EQ(RangeOf("3.."), "3..15");
  EXPECT_EQ(RangeOf("..7"), "1..7");
  EXPECT_EQ(RangeOf("@1..@15"), "1..15");
}

TEST_F(ResolveTest, CountsFromTheEnd) {
  EXPECT_EQ(RangeOf("@-1"), "15..15");
  EXPECT_EQ(RangeOf("@-3.."), "13..15");
  EXPECT_EQ(RangeOf("@-15..@-15"), "1..1");
}

TEST_F(ResolveTest, ACountEndsWithTheJournal) {
  EXPECT_EQ(RangeOf("3..+5"), "3..7");
  EXPECT_EQ(RangeOf("..+5"), "1..5");
  EXPECT_EQ(RangeOf("14..+1000"), "14..15");
  EXPECT_EQ(RangeOf("1..+18446744073709551615"), "1..15");
}

TEST_F(ResolveTest, ATimeIsTheFirstRecordAtOrAfterIt) {
  EXPECT_EQ(RangeOf("@2020-01-30T09:30:02Z"), "3..3");
  EXPECT_EQ(RangeOf("@2020-01-30T09:30:01.000000001Z"), "3..3");
  EXPECT_EQ(RangeOf("@1999-01-01T00:00:00Z.."), "1..15");
  EXPECT_EQ(RangeOf("@+0s"), "1..1");
  EXPECT_EQ(RangeOf("@+13500ms.."), "15..15");
  EXPECT_EQ(RangeOf("@2020-01-30T09:30:14Z"), "15..15");
}

TEST_F(ResolveTest, AtTheEndOfARangeATimeIsTheLastRecordNotAfterIt) {
  EXPECT_EQ(RangeOf("..@2020-01-30T09:30:02Z"), "1..3");
  EXPECT_EQ(RangeOf("..@2020-01-30T09:30:02.999999999Z"), "1..3");
  EXPECT_EQ(RangeOf("@+2s..@+4s"), "3..5");
  EXPECT_EQ(RangeOf("..@2100-01-01T00:00:00Z"), "1..15");
  EXPECT_EQ(RangeOf("..@+9223372036854775807ns"), "1..15");
}

TEST_F(ResolveTest, ATimeAfterTheBeginningMayEndARange) {
  EXPECT_EQ(RangeOf("3..+2s"), "3..5");
  EXPECT_EQ(RangeOf("3..+1999ms"), "3..4");
  EXPECT_EQ(RangeOf("3..+0s"), "3..3");
  EXPECT_EQ(RangeOf("..+2s"), "1..3");
  EXPECT_EQ(RangeOf("@+2500ms..+500ms"), "4..4") << "counted from that time";
  EXPECT_EQ(RangeOf("@+2500ms..+1h"), "4..15");
  EXPECT_EQ(RangeOf("@-2..+9223372036854775807ns"), "14..15");
  EXPECT_EQ(CodeOf("@+2500ms..+100ms"), absl::StatusCode::kInvalidArgument) << "none is in it";
  EXPECT_THAT(RangeOf("3..+2x"), HasSubstr("is neither a number of records nor a time"));
}

TEST_F(ResolveTest, SaysTheJournalsOwnRangeWhenOutside) {
  for (const char* text :
       {"0", "16", "..16", "16..", "@-16", "18446744073709551615", "@order:16", "@+15s", "@+1h..",
        "@2100-01-01T00:00:00Z", "..@1999-01-01T00:00:00Z", "@+9223372036854775807ns"}) {
    EXPECT_EQ(CodeOf(text), absl::StatusCode::kOutOfRange) << text;
    EXPECT_THAT(RangeOf(text), HasSubstr("the journal holds 1..15 (2020-01-30T09:30:00.000000000Z "
                                         "to 2020-01-30T09:30:14.000000000Z)"));
  }
}

TEST_F(ResolveTest, RefusesARangeThatHoldsNoRecord) {
  EXPECT_EQ(CodeOf("7..3"), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(RangeOf("7..3"), HasSubstr("begins at @7 and ends at @3"));
  EXPECT_EQ(CodeOf("@+2500ms..@+2600ms"), absl::StatusCode::kInvalidArgument);
}

TEST(ResolveEmptyTest, AnEmptyJournalHasOnlyTheWholeRange) {
  const std::string path = WriteSampleJournal("selector_empty", SampleJournalOptions());
  const auto opened = OpenJournal(path);
  ASSERT_TRUE(opened.ok()) << opened.status();
  const auto all = ResolveRange("", *opened->reader);
  ASSERT_TRUE(all.ok()) << all.status();
  EXPECT_TRUE(all->empty());
  EXPECT_EQ(all->record_count(), 0u);
  for (const char* text : {"1", "@-1", "@+0s", "..@2100-01-01T00:00:00Z"}) {
    const auto range = ResolveRange(text, *opened->reader);
    EXPECT_EQ(range.status().code(), absl::StatusCode::kOutOfRange) << text;
    EXPECT_THAT(range.status().message(), HasSubstr("the journal is empty")) << text;
  }
}

}  // namespace
}  // namespace tools
