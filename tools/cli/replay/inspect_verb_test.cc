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
using ::testing::StartsWith;
using ::testing::TempDir;

class InspectVerbTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { path_ = new std::string(WriteSampleJournal("inspect")); }
  static void TearDownTestSuite() { delete path_; }

  static VerbResult Inspect(std::vector<std::string> words) {
    words.insert(words.begin(), *path_);
    return RunVerb(MakeInspectVerb(), words);
  }
  // Without the first line, which begins with the path.
  static std::string OutputOf(const std::vector<std::string>& words) {
    const VerbResult result = Inspect(words);
    EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
    return result.output.substr(result.output.find('\n') + 1);
  }

  static inline std::string* path_ = nullptr;
};

TEST_F(InspectVerbTest, ShowsTheEndOfTheBusiestMarket) {
  EXPECT_THAT(Inspect({}).output, HasSubstr("/inspect, after @15\n"));
  EXPECT_EQ(OutputOf({}),
            "   15 2020-01-30T09:30:14.000000000Z ask market=AAPL price=320.1900 quantity=40 "
            "account=6\n"
            "   15.0 accepted order=15 side=ask market=AAPL price=320.1900 quantity=40 "
            "remaining=40 account=6\n"
            "\n"
            "AAPL  3 bid levels, 2 ask levels\n"
            "   ask 320.1900   40  1 order   █████▏\n"
            "   ask 320.1600  250  1 order   ████████████████████████████████\n"
            "         0.0100 apart\n"
            "   bid 320.1500   70  1 order   █████████\n"
            "   bid 320.1400   20  1 order   ██▌\n"
            "   bid 320.1200  120  1 order   ███████████████▍\n");
}

TEST_F(InspectVerbTest, ShowsWhatTheCommandAtThePositionDid) {
  EXPECT_EQ(OutputOf({"@7"}),
            "   7 2020-01-30T09:30:06.000000000Z ask market=AAPL price=320.1400 quantity=60 "
            "account=5\n"
            "   7.0 accepted order=7 side=ask market=AAPL price=320.1400 quantity=60 remaining=60 "
            "account=5\n"
            "   7.1 trade maker=3 taker=7 side=bid market=AAPL price=320.1400 quantity=60 "
            "remaining=40 account=3\n"
            "\n"
            "AAPL  2 bid levels, 1 ask level\n"
            "   ask 320.1700  300  1 order   ████████████████████████████████\n"
            "         0.0300 apart\n"
            "   bid 320.1400   90  2 orders  █████████▋\n"
            "   bid 320.1200  200  1 order   █████████████████████▍\n");
}

TEST_F(InspectVerbTest, ShowsTheMarketThatIsNamed) {
  EXPECT_THAT(OutputOf({"@9", "--market", "KX,\"RAIN\""}),
              EndsWith("\n\n"
                       "KX,\"RAIN\"  1 bid level, 0 ask levels\n"
                       "           --\n"
                       "   bid 0.5600  10.00  1 order   ████████████████████████████████\n"));
  EXPECT_EQ(OutputOf({"@9", "--market", "#7"}), OutputOf({"@9", "--market", "KX,\"RAIN\""}));
}

TEST_F(InspectVerbTest, AtAPositionShowsTheMarketOfItsCommand) {
  EXPECT_THAT(OutputOf({"@8"}), HasSubstr("\n\nKX,\"RAIN\"  1 bid level"));
  EXPECT_THAT(OutputOf({"@14"}), HasSubstr("\n\nAAPL  3 bid levels"));
}

TEST_F(InspectVerbTest, ShowsADefinitionAndItsEmptyBook) {
  EXPECT_EQ(OutputOf({"@1"}),
            "   1 2020-01-30T09:30:00.000000000Z define_market id=1 symbol=AAPL price_decimals=4 "
            "quantity_decimals=0 tick=0.0100 price_min=0.0100 price_max=1000.0000 lot=1\n"
            "   1.0 market_defined market=AAPL\n"
            "\n"
            "AAPL  0 bid levels, 0 ask levels\n");
}

TEST_F(InspectVerbTest, DepthLimitsTheLadder) {
  EXPECT_THAT(OutputOf({"--depth", "1"}), EndsWith("        2 more bid levels\n"));
}

TEST_F(InspectVerbTest, ShowsTheWholeLifeOfAnOrder) {
  EXPECT_THAT(
      OutputOf({"--order", "4"}),
      HasSubstr("order 4  live, 0 filled, 70 remaining; AAPL bid 320.1500, first in its queue\n"
                "   2020-01-30T09:30:03.000000000Z  4.0 accepted order=4 side=bid market=AAPL "
                "price=320.1400 quantity=50 remaining=50 account=4\n"
                "   2020-01-30T09:30:11.000000000Z  12.0 amended order=4 side=bid market=AAPL "
                "price=320.1500 quantity=70 remaining=70 account=4 priority=lost\n"));
}

TEST_F(InspectVerbTest, AnOrderKnowsWhoStandsBeforeIt) {
  EXPECT_THAT(OutputOf({"@7", "--order", "4"}),
              HasSubstr("order 4  live, 0 filled, 50 remaining; AAPL bid 320.1400, 1 order with 40 "
                        "ahead\n"));
}

TEST_F(InspectVerbTest, AnOrderKnowsHowItEnded) {
  EXPECT_THAT(OutputOf({"--order", "7"}), HasSubstr("order 7  filled, 60 filled, 0 remaining\n"));
  EXPECT_THAT(OutputOf({"--order", "6"}), HasSubstr("order 6  replaced by order 11, 0 filled"));
  // Without an answer there is no book either.
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--order", "14"}, {"@3", "--order", "4"}}) {
    const VerbResult unknown = Inspect(words);
    EXPECT_EQ(unknown.code, ExitCode::kUsage);
    EXPECT_EQ(unknown.output, "");
    EXPECT_THAT(unknown.error, HasSubstr("no order has that number up to @"));
  }
}

TEST_F(InspectVerbTest, MarksTheLevelOfTheOrder) {
  EXPECT_THAT(OutputOf({"--order", "4"}), HasSubstr("bid 320.1500   70  1 order   █████████  <\n"));
  EXPECT_THAT(OutputOf({"--order", "8"}), HasSubstr("\n\nKX,\"RAIN\"  1 bid level"));
}

TEST_F(InspectVerbTest, ShowsTheQueueOfALevel) {
  EXPECT_THAT(OutputOf({"@5", "--queue", "bid@320.14"}),
              EndsWith("\n\n"
                       "AAPL bid 320.1400  150 in 2 orders\n"
                       "      1  order 3            100  up to here 100\n"
                       "      2  order 4             50  up to here 150\n"));
  EXPECT_THAT(OutputOf({"@5", "--queue", "ask@1"}),
              EndsWith("AAPL ask 1.0000  no order rests there\n"));
}

TEST_F(InspectVerbTest, JsonHasAllOfIt) {
  const std::string json = Inspect({"@7", "--json", "--order", "3"}).output;
  EXPECT_THAT(json, StartsWith(R"({"schema":"ticktape.inspect/1","path":")"));
  EXPECT_THAT(json, HasSubstr(R"("sequence":7,"time":"2020-01-30T09:30:06.000000000Z",)"
                              R"("command":{"sequence":7,)"));
  EXPECT_THAT(json, HasSubstr(R"({"sequence":7,"index":1,"time":"2020-01-30T09:30:06.000000000Z",)"
                              R"("kind":"trade","market":"AAPL","market_id":1,"maker":3,"taker":7,)"
                              R"("side":"bid","price":"320.1400","price_units":3201400,)"
                              R"("quantity":"60","quantity_units":60,"remaining":"40",)"
                              R"("remaining_units":40,"account":3}])"));
  EXPECT_THAT(json, HasSubstr(R"("order":{"order":3,"status":"live","filled":"60",)"
                              R"("filled_units":60,"remaining":"40","remaining_units":40,)"
                              R"("side":"bid","price":"320.1400","price_units":3201400,)"
                              R"("orders_ahead":0,"quantity_ahead":"0","quantity_ahead_units":0,)"
                              R"("history":[{"sequence":3,"index":0,)"));
  EXPECT_THAT(json, EndsWith(R"("market":"AAPL","market_id":1,)"
                             R"("bids":[{"price":"320.1400","price_units":3201400,"quantity":"90",)"
                             R"("quantity_units":90,"orders":2},{"price":"320.1200",)"
                             R"("price_units":3201200,"quantity":"200","quantity_units":200,)"
                             R"("orders":1}],"bid_level_count":2,)"
                             R"("asks":[{"price":"320.1700","price_units":3201700,)"
                             R"("quantity":"300","quantity_units":300,"orders":1}],)"
                             R"("ask_level_count":1})"
                             "\n"));
}

TEST_F(InspectVerbTest, JsonHasTheQueueThatIsAskedFor) {
  EXPECT_THAT(Inspect({"@7", "--json", "--queue", "bid@320.14"}).output,
              EndsWith(R"("market":"AAPL","market_id":1,"queue":{"side":"bid","price":"320.1400",)"
                       R"("price_units":3201400,"orders":[)"
                       R"({"order":3,"remaining":"40","remaining_units":40},)"
                       R"({"order":4,"remaining":"50","remaining_units":50}]}})"
                       "\n"));
}

TEST_F(InspectVerbTest, WithoutAMarketThereIsNoBook) {
  const std::string path = WriteSampleJournal("inspect_time", {.commands = {"advance_time"}});
  const VerbResult result = RunVerb(MakeInspectVerb(), {path});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_THAT(result.output, EndsWith("\n\nno market is defined yet\n"));
  EXPECT_EQ(RunVerb(MakeInspectVerb(), {path, "--json"}).code, ExitCode::kOk);
  EXPECT_EQ(RunVerb(MakeInspectVerb(), {path, "--queue", "bid@1"}).code, ExitCode::kUsage);
}

TEST_F(InspectVerbTest, OfEquallyBusyMarketsTheLowestIsShown) {
  const std::string path = WriteSampleJournal(
      "inspect_tie", {.commands = {"define_market id=2 symbol=B", "define_market id=1 symbol=A"}});
  const VerbResult result = RunVerb(MakeInspectVerb(), {path});
  EXPECT_THAT(result.output, EndsWith("\n\nA  0 bid levels, 0 ask levels\n")) << result.error;
}

TEST_F(InspectVerbTest, RefusesWrongArguments) {
  const auto refused = [](const std::vector<std::string>& words, const char* message) {
    const VerbResult result = Inspect(words);
    EXPECT_EQ(result.code, ExitCode::kUsage) << result.error;
    EXPECT_THAT(result.error, HasSubstr(message));
    EXPECT_EQ(result.output, "");
  };
  refused({"1..2"}, "'1..2' is not a position; expected @1234567");
  refused({"@16"}, "@16 is outside: the journal holds 1..15");
  refused({""}, "'' is not a position");
  refused({"--market", "APPL"},
          "--market 'APPL': no such market is defined up to there; did you mean 'AAPL'?");
  refused({"@1", "--market", "#7"},
          "--market '#7': no such market is defined up to there; there is AAPL");
  refused({"--market", "#x"},
          "--market '#x': no such market is defined up to there; there are AAPL, KX,\"RAIN\"");
  refused({"--queue", "320.14"}, "expected a side and a price, e.g. bid@320.14");
  refused({"--queue", "bid@"}, "expected e.g. bid@320.14");
  refused({"--queue", "bid@0.00001"}, "more than 4 decimals");
  refused({"--queue", "buy@1"}, "expected a side and a price");
  refused({"--order", "-1"}, "--order '-1' is not an order's number; expected e.g. 4711");
  refused({"--order", "@-1"}, "--order '@-1' is not an order's number");
  refused({"--order", "x"}, "--order 'x' is not an order's number");
  refused({"--depth", "0"}, "depth");
}

TEST_F(InspectVerbTest, AnEmptyJournalHasNoPosition) {
  const std::string path = WriteSampleJournal("inspect_empty", SampleJournalOptions());
  const VerbResult result = RunVerb(MakeInspectVerb(), {path});
  EXPECT_EQ(result.code, ExitCode::kUsage);
  EXPECT_THAT(result.error, HasSubstr("the journal is empty"));
}

TEST_F(InspectVerbTest, SaysWhichPathIsNoJournal) {
  const VerbResult result = RunVerb(MakeInspectVerb(), {absl::StrCat(TempDir(), "/nowhere")});
  EXPECT_EQ(result.code, ExitCode::kIo);
  EXPECT_THAT(result.error, HasSubstr("/nowhere"));
}

}  // namespace
}  // namespace tools
