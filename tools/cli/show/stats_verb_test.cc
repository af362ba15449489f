#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/testing/run_verb.h"
#include "tools/cli/testing/sample_journal.h"

namespace tools {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::TempDir;

class StatsVerbTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { path_ = new std::string(WriteSampleJournal("stats")); }
  static void TearDownTestSuite() { delete path_; }

  static VerbResult Stats(std::vector<std::string> words) {
    words.insert(words.begin(), *path_);
    return RunVerb(MakeStatsVerb(), words);
  }
  static std::string OutputOf(const std::vector<std::string>& words) {
    const VerbResult result = Stats(words);
    EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
    return result.output;
  }

  static inline std::string* path_ = nullptr;
};

TEST_F(StatsVerbTest, CountsKindsAndMarkets) {
  EXPECT_THAT(
      OutputOf({}),
      EndsWith("/stats, @1..@15\n"
               "  commands         15\n"
               "  time             2020-01-30T09:30:00.000000000Z to "
               "2020-01-30T09:30:14.000000000Z\n"
               "  rate             mean 1/s, busiest second 1 at 2020-01-30T09:30:00.000000000Z\n"
               "  gaps             half below 1.0 s, 99 % below 1.0 s, longest 1.0 s\n"
               "  markets          2\n"
               "  accounts         4\n"
               "  attachments      2, 136 bytes\n"
               "  stored           32.0 KiB, 2184.5 bytes per command, a row having 64\n"
               "  blocks           4, 3.8 commands each\n"
               "\n"
               "  kind                 commands    share\n"
               "  define_market               2   13.3 %  ████████\n"
               "  new_order                   8   53.3 %  ████████████████████████████████\n"
               "  cancel                      1    6.7 %  ████\n"
               "  reduce                      1    6.7 %  ████\n"
               "  replace                     1    6.7 %  ████\n"
               "  amend                       1    6.7 %  ████\n"
               "  advance_time                1    6.7 %  ████\n"
               "\n"
               "  market           commands    share\n"
               "  AAPL                   12   80.0 %  ████████████████████████████████\n"
               "  KX,\"RAIN\"               2   13.3 %  █████▍\n"
               "  none                    1    6.7 %  ██▋\n"));
}

TEST_F(StatsVerbTest, ByChoosesTheOnlyTable) {
  const std::string text = OutputOf({"--by", "account"});
  EXPECT_THAT(text,
              EndsWith("\n\n"
                       "  account        commands    share\n"
                       "  4                     4   26.7 %  ████████████████████████████████\n"
                       "  3                     3   20.0 %  ████████████████████████\n"
                       "  5                     3   20.0 %  ████████████████████████\n"
                       "  6                     2   13.3 %  ████████████████\n"
                       "  none                  3   20.0 %  ████████████████████████\n"));
  EXPECT_THAT(text, Not(HasSubstr("new_order")));
}

TEST_F(StatsVerbTest, TopSumsUpTheOthers) {
  EXPECT_THAT(OutputOf({"--by", "market", "--top", "1"}),
              EndsWith("\n\n"
                       "  market         commands    share\n"
                       "  AAPL                 12   80.0 %  ████████████████████████████████\n"
                       "  1 other               2   13.3 %  █████▍\n"
                       "  none                  1    6.7 %  ██▋\n"));
}

TEST_F(StatsVerbTest, ARangeIsCountedAlone) {
  EXPECT_THAT(OutputOf({"--by", "second", "3..4"}),
              EndsWith("\n\n"
                       "  second                      commands    share\n"
                       "  2020-01-30T09:30:02Z               1   50.0 %  "
                       "████████████████████████████████\n"
                       "  2020-01-30T09:30:03Z               1   50.0 %  "
                       "████████████████████████████████\n"));
  EXPECT_THAT(OutputOf({"3"}), HasSubstr("  commands         1\n"));
}

TEST_F(StatsVerbTest, JsonHasAllOfIt) {
  EXPECT_THAT(
      OutputOf({"--json"}),
      EndsWith(
          R"("first_sequence":1,"last_sequence":15,"commands":15,)"
          R"("first_time":"2020-01-30T09:30:00.000000000Z",)"
          R"("last_time":"2020-01-30T09:30:14.000000000Z",)"
          R"("commands_per_second_mean":1.0714285714285715,"commands_per_second_max":1,)"
          R"("busiest_second":"2020-01-30T09:30:00.000000000Z",)"
          R"("gap_ns":{"p50":1000000000,"p99":1000000000,"max":1000000000},)"
          R"("market_count":2,"account_count":4,"attachments":2,"attachment_bytes":136,)"
          R"("journal":{"bytes":32768,"bytes_per_command":2184.5333333333335,)"
          R"("rows_to_stored":0.029296875,"blocks":4,"commands_per_block":3.75},)"
          R"("kinds":[{"name":"define_market","commands":2},{"name":"new_order","commands":8},)"
          R"({"name":"cancel","commands":1},{"name":"reduce","commands":1},)"
          R"({"name":"replace","commands":1},{"name":"amend","commands":1},)"
          R"({"name":"advance_time","commands":1}],)"
          R"("markets":[{"name":"AAPL","commands":12},{"name":"KX,\"RAIN\"","commands":2},)"
          R"({"name":"none","commands":1}],)"
          R"("accounts":[{"name":"4","commands":4},{"name":"3","commands":3},)"
          R"({"name":"5","commands":3},{"name":"6","commands":2},{"name":"none","commands":3}]})"
          "\n"));
}

TEST_F(StatsVerbTest, AnEmptyJournalHasNothingToCount) {
  const std::string path = WriteSampleJournal("stats_empty", SampleJournalOptions());
  const VerbResult result = RunVerb(MakeStatsVerb(), {path});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_EQ(result.output, absl::StrCat(path, ", which is empty\n"));
  EXPECT_EQ(RunVerb(MakeStatsVerb(), {path, "--json"}).code, ExitCode::kOk);
}

TEST_F(StatsVerbTest, RefusesWrongArguments) {
  EXPECT_EQ(Stats({"--by", "colour"}).code, ExitCode::kUsage);
  EXPECT_THAT(Stats({"--by", "colour"}).error,
              HasSubstr("'colour' is not known; expected account, kind, market, second"));
  EXPECT_EQ(Stats({"--top", "0"}).code, ExitCode::kUsage);
  EXPECT_EQ(Stats({"99"}).code, ExitCode::kUsage);
  const VerbResult result = RunVerb(MakeStatsVerb(), {absl::StrCat(TempDir(), "/nowhere")});
  EXPECT_EQ(result.code, ExitCode::kIo);
  EXPECT_THAT(result.error, HasSubstr("/nowhere"));
}

}  // namespace
}  // namespace tools
