// `ticktape split`, and its pieces merged again, on real folders.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/slice/new_journals.h"
#include "tools/cli/slice/testing/journals.h"
#include "tools/cli/testing/run_verb.h"
#include "tools/cli/testing/sample_journal.h"

namespace tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(SplitVerbTest, PiecesBecomeTheJournalAgain) {
  const std::string path = WriteBusy("split_pieces", 10'000);
  const std::vector<std::vector<std::string>> ways = {
      {"--every", "3000"}, {"--at", "@4097,@8193"}, {"--size", "64K"}, {"--by", "day"}};
  for (size_t i = 0; i < ways.size(); ++i) {
    const std::string parts = At(absl::StrCat("split_parts_", i));
    const std::string merged = At(absl::StrCat("split_merged_", i));
    const VerbResult split = RunVerb(MakeSplitVerb(), {path, ways[i][0], ways[i][1], "-o", parts});
    EXPECT_EQ(split.code, ExitCode::kOk) << split.error;
    std::vector<std::string> words;
    for (const auto& entry : std::filesystem::directory_iterator(parts)) {
      words.push_back(entry.path().string());
      EXPECT_EQ(RunVerb(MakeVerifyVerb(), {words.back(), "--deep"}).code, ExitCode::kOk);
    }
    if (words.size() < 2) continue;  // One day.
    words.insert(words.end(), {"-o", merged});
    const VerbResult result = RunVerb(MakeMergeVerb(), words);
    EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
    EXPECT_THAT(result.output, HasSubstr(LogDigest(path)));
    EXPECT_EQ(LogDigest(merged), LogDigest(path));
    EXPECT_EQ(Cat(merged), Cat(path));
    // Its checkpoints are those of the pieces, and hold.
    EXPECT_THAT(Verify(merged), HasSubstr("digests          equal to the recorded run's"));
  }
}

// Three days, the last two of which begin with the first command at midnight.
TEST(SplitVerbTest, DaysBeginAtMidnight) {
  constexpr int64_t kDay = int64_t{24} * 3600 * 1'000'000'000;
  const std::string path = At("split_days");
  auto output = JournalOutput::Create(path, "a test", "", "days");
  ASSERT_TRUE(output.ok());
  for (const int64_t nanos : {kDay - 2, kDay - 1, kDay, kDay + 1, 2 * kDay, 3 * kDay - 1}) {
    engine::Command command;
    command.kind = engine::CommandKind::kAdvanceTime;
    command.timestamp = engine::Timestamp::FromNanos(nanos);
    ASSERT_TRUE((*output)->Append(command, {}).ok());
  }
  ASSERT_TRUE((*output)->Finish().ok());
  const std::string days = At("split_days_out");
  const VerbResult result = RunVerb(MakeSplitVerb(), {path, "--by", "day", "-o", days});
  ASSERT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_THAT(result.output, HasSubstr("1970-01-01.tape 2 records, @1..@2,"));
  EXPECT_THAT(result.output, HasSubstr("1970-01-02.tape 2 records, @3..@4,"));
  EXPECT_THAT(result.output, HasSubstr("1970-01-03.tape 2 records, @5..@6,"));
}

TEST(SplitVerbTest, AMissingPieceIsNoticed) {
  const std::string path = WriteBusy("split_missing", 4000);
  const std::string parts = At("split_missing_parts");
  ASSERT_EQ(RunVerb(MakeSplitVerb(), {path, "--every", "1000", "-o", parts}).code, ExitCode::kOk);
  const VerbResult result = RunVerb(
      MakeMergeVerb(),
      {parts + "/part-000004.tape", parts + "/part-000002.tape", "-o", At("split_missing_merged")});
  EXPECT_NE(result.code, ExitCode::kOk);
  EXPECT_THAT(result.error, HasSubstr("part-000004.tape begins at @3001, but"));
  EXPECT_THAT(result.error, HasSubstr("part-000002.tape ends at @2000; expected @2001"));
}

TEST(SplitVerbTest, ByMarketEachStandsByItself) {
  const std::string path = WriteSampleJournal("split_market");
  const std::string parts = At("split_market_parts");
  const VerbResult result = RunVerb(MakeSplitVerb(), {path, "--by", "market", "-o", parts});
  EXPECT_EQ(result.code, ExitCode::kDifferent) << result.error;
  // @13 names an order of the other market.
  EXPECT_THAT(result.output, HasSubstr("AAPL.tape"));
  EXPECT_THAT(result.output, HasSubstr("1 answered otherwise, first @13"));
  EXPECT_THAT(result.output, HasSubstr("market-7-KX__RAIN_.tape"));
  EXPECT_THAT(Verify(parts + "/AAPL.tape"), HasSubstr("CLEAN"));
}

TEST(SplitVerbTest, ByMarketANoteGoesToItsMarketOrToAll) {
  const std::string path = WriteSampleJournal(
      "split_notes",
      {.commands = {"define_market id=1 symbol=ACME", "define_market id=2 symbol=ZINC",
                    "note namespace=of_all version=1",
                    "note market=ZINC namespace=of_zinc version=1",
                    "note market=#9 namespace=of_none version=1",
                    "note account=5 namespace=of_an_account version=1"}});
  const std::string parts = At("split_notes_parts");
  const VerbResult result = RunVerb(MakeSplitVerb(), {path, "--by", "market", "-o", parts});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  const std::string acme = Cat(parts + "/ACME.tape");
  const std::string zinc = Cat(parts + "/ZINC.tape");
  for (const std::string& journal : {acme, zinc}) {
    EXPECT_THAT(journal, HasSubstr("of_all"));
    EXPECT_THAT(journal, HasSubstr("of_an_account"));
    EXPECT_THAT(journal, Not(HasSubstr("of_none")));
  }
  EXPECT_THAT(acme, Not(HasSubstr("of_zinc")));
  EXPECT_THAT(zinc, HasSubstr("of_zinc"));
}

TEST(SplitVerbTest, OneWayIsExpected) {
  const std::string path = WriteSampleJournal("split_ways");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{path, "-o", At("split_ways_out")},
        {path, "-o", At("split_ways_out"), "--every", "5", "--by", "day"}}) {
    const VerbResult result = RunVerb(MakeSplitVerb(), words);
    EXPECT_EQ(result.code, ExitCode::kUsage);
    EXPECT_THAT(result.error, HasSubstr("expected one of --every, --at, --by, --size"));
  }
  const auto error = [&](const char* option, const char* value) {
    const VerbResult result =
        RunVerb(MakeSplitVerb(), {path, "-o", At("split_ways_out"), option, value});
    EXPECT_EQ(result.code, ExitCode::kUsage);
    return result.error;
  };
  EXPECT_THAT(error("--by", "week"), HasSubstr("--by: 'week' is not known; expected day, market"));
  EXPECT_THAT(error("--by", "1"), HasSubstr("--by: '1' is not known"));
  for (const char* count : {"0", "00", "-3", "1.5", "x"}) {
    EXPECT_THAT(error("--every", count), HasSubstr("is not a count; expected a number above zero"));
  }
  EXPECT_THAT(error("--size", "64Q"),
              HasSubstr("'64Q' is not understood; expected bytes, e.g. 4096"));
  EXPECT_THAT(error("--size", ""), HasSubstr("--size"));
}

}  // namespace
}  // namespace tools
