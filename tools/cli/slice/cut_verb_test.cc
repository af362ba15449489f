// `ticktape cut`, on real folders.

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/slice/testing/journals.h"
#include "tools/cli/testing/run_verb.h"
#include "tools/cli/testing/sample_journal.h"

namespace tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(CutVerbTest, ABeginningKeepsItsNumbersAndDigest) {
  const std::string path = WriteBusy("cut_beginning", 5000);
  const std::string out = At("cut_beginning_out");
  const VerbResult result = RunVerb(MakeCutVerb(), {path, "..@4096", "-o", out});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_THAT(result.output, HasSubstr("kept             4,096 of 4,096 commands, @1..@4096"));
  EXPECT_THAT(result.output, HasSubstr("numbers          as they were"));
  EXPECT_EQ(RunVerb(MakeCatVerb(), {path, "..@4096"}).output, Cat(out));
  EXPECT_THAT(Verify(out), HasSubstr("CLEAN"));
}

TEST(CutVerbTest, AMiddleStandsByItself) {
  const std::string path = WriteSampleJournal("cut_middle");
  const std::string out = At("cut_middle_out");
  const std::string map = At("cut_middle.csv");
  const VerbResult result = RunVerb(MakeCutVerb(), {path, "@10..@12", "-o", out, "--map", map});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error << result.output;
  EXPECT_THAT(result.output, HasSubstr("numbers          new; @10 is @9 here"));
  EXPECT_THAT(result.output, HasSubstr("answers          all as in the whole journal"));
  std::ostringstream lines;
  lines << std::ifstream(map).rdbuf();
  EXPECT_EQ(lines.str(), "whole,slice\n10,9\n11,10\n12,11\n");
  // Times stay, and orders are named by their new numbers.
  EXPECT_THAT(Cat(out), HasSubstr("10 2020-01-30T09:30:10.000000000Z replace market=AAPL order=7 "
                                  "price=320.1600 quantity=250 account=5\n"));
  EXPECT_THAT(Verify(out), HasSubstr("CLEAN"));
}

TEST(CutVerbTest, DifferentAnswersAreReported) {
  const std::string path = WriteSampleJournal("cut_other");
  const std::string out = At("cut_other_out");
  const VerbResult result = RunVerb(MakeCutVerb(), {path, "--account", "5", "-o", out});
  EXPECT_EQ(result.code, ExitCode::kDifferent) << result.error;
  EXPECT_THAT(result.output, HasSubstr("1 differ from the whole journal's"));
  EXPECT_THAT(result.output, HasSubstr("@7"));
  EXPECT_THAT(Cat(out), Not(HasSubstr("account=4")));
}

TEST(CutVerbTest, AMarketIsNamedBySymbolOrNumber) {
  const std::string path = WriteSampleJournal("cut_market");
  for (const char* name : {"KX,\"RAIN\"", "#7"}) {
    const std::string out = At(absl::StrCat("cut_market_", name[0] == '#' ? "id" : "symbol"));
    const VerbResult result = RunVerb(MakeCutVerb(), {path, "--market", name, "-o", out});
    // The cancel in the wrong market goes with the other market.
    EXPECT_EQ(result.code, ExitCode::kOk) << result.error << result.output;
    EXPECT_THAT(Cat(out), Not(HasSubstr("AAPL")));
  }
  const VerbResult typo =
      RunVerb(MakeCutVerb(), {path, "--market", "APPL", "-o", At("cut_market_typo")});
  EXPECT_EQ(typo.code, ExitCode::kUsage);
  EXPECT_THAT(typo.error, HasSubstr("--market 'APPL': no such market"));
}

TEST(CutVerbTest, WhereIsAboutOrders) {
  const std::string path = WriteSampleJournal("cut_where");
  const std::string out = At("cut_where_out");
  const VerbResult result =
      RunVerb(MakeCutVerb(), {path, "--where", "side==bid", "-o", out, "--json"});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error << result.output;
  EXPECT_THAT(result.output, HasSubstr("\"commands_kept\":7,"));
}

// Of a number that no order has yet, and of its own.
TEST(CutVerbTest, CommandsThatNameWhatIsNotThereYetAreAnsweredAsInTheWhole) {
  std::vector<std::string> commands = SampleCommands();
  commands.push_back("cancel market=AAPL order=16 account=4");
  commands.push_back("cancel market=AAPL order=19 account=4");
  commands.push_back("bid market=AAPL price=320.0000 quantity=1 account=4");
  const std::string path = WriteSampleJournal("not_yet", {.commands = commands});
  const VerbResult result = RunVerb(MakeCutVerb(), {path, "@12..", "-o", At("not_yet_out")});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.output << result.error;
  EXPECT_THAT(result.output, HasSubstr("all as in the whole journal"));
}

}  // namespace
}  // namespace tools
