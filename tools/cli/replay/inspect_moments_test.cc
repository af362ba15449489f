// inspect beyond one moment: accounts, whole lives, what changed, what happened to one thing.

#include <string>
#include <vector>

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
using ::testing::StartsWith;

std::vector<std::string> CommandsWithMoney() {
  return {
      "define_market id=7 symbol=RAIN price_decimals=4 quantity_decimals=2 tick=0.0100 "
      "price_min=0.0100 price_max=0.9900 lot=1.00 kind=binary",
      "open_account account=3",
      "deposit account=3 amount=100.00",
      "open_account account=4",
      "deposit account=4 amount=50.00",
      "bid market=RAIN price=0.5600 quantity=10.00 account=3",
      "ask market=RAIN price=0.5600 quantity=4.00 account=4",
      "cancel market=RAIN order=6 account=3",
      "cancel market=RAIN order=6 account=3",
  };
}

class InspectMomentsTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    path_ = new std::string(WriteSampleJournal("inspect_moments"));
    money_path_ =
        new std::string(WriteSampleJournal("inspect_money", {.commands = CommandsWithMoney()}));
  }
  static void TearDownTestSuite() {
    delete path_;
    delete money_path_;
  }

  static VerbResult Run(const std::string& path, std::vector<std::string> words) {
    words.insert(words.begin(), path);
    return RunVerb(MakeInspectVerb(), words);
  }
  static std::string OutputOf(const std::string& path, const std::vector<std::string>& words) {
    const VerbResult result = Run(path, words);
    EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
    return result.output;
  }
  // Without the first line, which begins with the path.
  static std::string DiffOf(const std::string& path, const char* from, const char* to) {
    const std::string output = OutputOf(path, {"--diff", from, to});
    return output.substr(output.find('\n') + 1);
  }
  static void ExpectRefused(const std::vector<std::string>& words, const char* message) {
    const VerbResult result = Run(*path_, words);
    EXPECT_EQ(result.code, ExitCode::kUsage) << result.error;
    EXPECT_THAT(result.error, HasSubstr(message));
    EXPECT_EQ(result.output, "");
  }

  static inline std::string* path_ = nullptr;
  static inline std::string* money_path_ = nullptr;
};

TEST_F(InspectMomentsTest, ShowsWhatAnAccountHas) {
  EXPECT_THAT(OutputOf(*money_path_, {"@7", "--account", "3"}),
              HasSubstr("account 3  balance 97.760000, 3.360000 of it reserved, 94.400000 "
                        "available\n"
                        "   position  RAIN +4.00\n"
                        "   order 6  RAIN bid 0.5600  6.00\n"
                        "\n"));
  EXPECT_THAT(OutputOf(*money_path_, {"@7", "--account", "4"}),
              HasSubstr("account 4  balance 48.240000, 0.000000 of it reserved, 48.240000 "
                        "available\n"
                        "   position  RAIN -4.00\n"
                        "   no order of it rests\n"));
  EXPECT_THAT(OutputOf(*money_path_, {"@7", "--account", "5"}),
              HasSubstr("account 5  was not opened, so it has no money\n"));
  EXPECT_THAT(OutputOf(*money_path_, {"@7", "--account", "3", "--json"}),
              HasSubstr(R"("account":{"account":3,"is_open":true,"balance":"97.760000",)"
                        R"("reserved":"3.360000","available":"94.400000","positions":[)"
                        R"({"market":"RAIN","market_id":7,"position":"+4.00",)"
                        R"("position_units":400}],"orders":[{"order":6,"market":"RAIN",)"
                        R"("market_id":7,"side":"bid","price":"0.5600","price_units":5600,)"
                        R"("remaining":"6.00","remaining_units":600}]})"));
}

TEST_F(InspectMomentsTest, TellsWhatBecomesOfAnOrderOnlyWhenAsked) {
  EXPECT_THAT(OutputOf(*path_, {"@5", "--order", "3"}), Not(HasSubstr("later")));
  EXPECT_THAT(OutputOf(*path_, {"@5", "--order", "3", "--life"}),
              HasSubstr("order 3  live, 0 filled, 100 remaining; AAPL bid 320.1400, first in its "
                        "queue\n"
                        "   2020-01-30T09:30:02.000000000Z  3.0 accepted order=3 side=bid "
                        "market=AAPL price=320.1400 quantity=100 remaining=100 account=3\n"
                        "   2020-01-30T09:30:06.000000000Z  later 7.1 trade"));
  EXPECT_THAT(OutputOf(*path_, {"@5", "--order", "3", "--life"}),
              HasSubstr("\n   in the end live, 80 filled, 20 remaining\n"));
  EXPECT_THAT(OutputOf(*path_, {"@5", "--order", "8", "--life"}),
              HasSubstr("order 8  no order has that number up to there\n"));
  EXPECT_THAT(OutputOf(*path_, {"@5", "--order", "8", "--life"}),
              HasSubstr("   in the end live, 0.00 filled, 10.00 remaining\n"));
  EXPECT_THAT(OutputOf(*path_, {"@5", "--order", "3", "--life", "--json"}),
              HasSubstr(R"("final_status":"live","later":[{"sequence":7,)"));
}

TEST_F(InspectMomentsTest, DiffShowsWhatChanged) {
  EXPECT_EQ(DiffOf(*path_, "@6", "@15"),
            "\n"
            "AAPL  2 trades of 80, 2 entered, 1 left, 3 changed, 2 came and went\n"
            "   levels\n"
            "      ask 320.1900  0 -> 40  0 -> 1 order\n"
            "      ask 320.1700  300 -> 0  1 -> 0 orders\n"
            "      ask 320.1600  0 -> 250  0 -> 1 order\n"
            "      bid 320.1500  0 -> 70  0 -> 1 order\n"
            "      bid 320.1400  150 -> 20  2 -> 1 order\n"
            "      bid 320.1200  200 -> 120  1 order\n"
            "   entered\n"
            "      order 11  ask 320.1600  250  account 5\n"
            "      order 15  ask 320.1900  40  account 6\n"
            "   left\n"
            "      order 6  ask 320.1700  300  account 5  replaced\n"
            "   changed\n"
            "      order 3  bid 320.1400  100  account 3  now 20\n"
            "      order 4  bid 320.1400  50  account 4  now at 320.1500  now 70  after the "
            "others\n"
            "      order 5  bid 320.1200  200  account 3  now 120\n"
            "\n"
            "KX,\"RAIN\"  0 trades, 1 entered, 0 left, 0 changed, 0 came and went\n"
            "   levels\n"
            "      bid 0.5600  0.00 -> 10.00  0 -> 1 order\n"
            "   entered\n"
            "      order 8  bid 0.5600  10.00  account 4\n");
  EXPECT_THAT(OutputOf(*path_, {"--diff", "@6", "@15"}),
              HasSubstr("inspect_moments, from after @6 to after @15: 9 commands, 1 rejected\n"));
}

TEST_F(InspectMomentsTest, DiffShowsWhoGainedAndLost) {
  EXPECT_THAT(DiffOf(*money_path_, "@6", "@9"),
              EndsWith("\n"
                       "2 accounts changed\n"
                       "   account 3  balance 100.000000 -> 97.760000, reserved 5.600000 -> "
                       "0.000000, position RAIN 0.00 -> +4.00\n"
                       "   account 4  balance 50.000000 -> 48.240000, position RAIN 0.00 -> "
                       "-4.00\n"));
  EXPECT_THAT(DiffOf(*money_path_, "@6", "@9"), HasSubstr("order 6  bid 0.5600  10.00  account 3  "
                                                          "cancelled\n"));
  EXPECT_THAT(OutputOf(*money_path_, {"--diff", "@6", "@9"}), HasSubstr("3 commands, 1 rejected"));
}

TEST_F(InspectMomentsTest, DiffMayBeOfOneMarketOrOfNothing) {
  const std::string rain = OutputOf(*path_, {"--diff", "@7", "@15", "--market", "#7"});
  EXPECT_THAT(rain, HasSubstr("KX,\"RAIN\""));
  EXPECT_THAT(rain, Not(HasSubstr("AAPL")));
  EXPECT_EQ(DiffOf(*path_, "@13", "@14"), "no book and no account is another\n");
  EXPECT_EQ(DiffOf(*path_, "@9", "@9"), "no book and no account is another\n");
  EXPECT_THAT(OutputOf(*path_, {"--diff", "@6", "@15", "--depth", "1"}),
              HasSubstr("      ask 320.1900  0 -> 40  0 -> 1 order\n      and 5 more\n"));
}

TEST_F(InspectMomentsTest, DiffAsJsonHasAllOfIt) {
  const std::string json = OutputOf(*path_, {"--diff", "@6", "@15", "--depth", "1", "--json"});
  EXPECT_THAT(json, StartsWith(R"({"schema":"ticktape.inspect-diff/1","path":")"));
  EXPECT_THAT(json, HasSubstr(R"("from":6,"to":15,"rejected":1,"markets":[{"market":"AAPL",)"
                              R"("market_id":1,"trades":2,"volume":"80","volume_units":80,)"
                              R"("came_and_went":2,"levels":[{"side":"ask","price":"320.1900",)"));
  EXPECT_THAT(json, HasSubstr(R"("left":[{"order":6,"account":5,"side":"ask","price":"320.1700",)"
                              R"("price_units":3201700,"remaining":"300","remaining_units":300,)"
                              R"("how":"replaced"}])"));
  EXPECT_THAT(json, EndsWith("\"accounts\":[]}\n"));
  EXPECT_THAT(OutputOf(*money_path_, {"--diff", "@6", "@9", "--json"}),
              HasSubstr(R"("accounts":[{"account":3,"before":{"is_open":true,)"
                        R"("balance":"100.000000","reserved":"5.600000",)"));
}

TEST_F(InspectMomentsTest, WatchesAnOrderAndItsPlace) {
  EXPECT_EQ(OutputOf(*path_, {"--watch", "order:4"}),
            "2020-01-30T09:30:03.000000000Z  4.0 accepted order=4 side=bid market=AAPL "
            "price=320.1400 quantity=50 remaining=50 account=4\n"
            "     bid 320.1400, 50 remaining, 1 order with 100 ahead\n"
            "2020-01-30T09:30:06.000000000Z  7.0 accepted order=7 side=ask market=AAPL "
            "price=320.1400 quantity=60 remaining=60 account=5\n"
            "2020-01-30T09:30:06.000000000Z  7.1 trade maker=3 taker=7 side=bid market=AAPL "
            "price=320.1400 quantity=60 remaining=40 account=3\n"
            "     bid 320.1400, 50 remaining, 1 order with 40 ahead\n"
            "2020-01-30T09:30:08.000000000Z  9.0 accepted order=9 side=ask market=AAPL "
            "quantity=20 remaining=20 account=6\n"
            "2020-01-30T09:30:08.000000000Z  9.1 trade maker=3 taker=9 side=bid market=AAPL "
            "price=320.1400 quantity=20 remaining=20 account=3\n"
            "     bid 320.1400, 50 remaining, 1 order with 20 ahead\n"
            "2020-01-30T09:30:11.000000000Z  12.0 amended order=4 side=bid market=AAPL "
            "price=320.1500 quantity=70 remaining=70 account=4 priority=lost\n"
            "     bid 320.1500, 70 remaining, first in its queue\n");
}

TEST_F(InspectMomentsTest, AnOrderIsWatchedUntilItsEnd) {
  EXPECT_THAT(OutputOf(*money_path_, {"--watch", "order:6"}),
              EndsWith("8.0 cancelled order=6 side=bid market=RAIN price=0.5600 quantity=6.00 "
                       "account=3 reason=requested\n"
                       "     no longer in the book\n"))
      << "the second cancel is refused, and is no part of its life";
  const VerbResult nothing = Run(*path_, {"--watch", "order:14"});
  EXPECT_EQ(nothing.output, "");
  EXPECT_EQ(nothing.code, ExitCode::kUsage);
  EXPECT_EQ(nothing.error, "--watch order:14: not found from @1 to @15");
}

TEST_F(InspectMomentsTest, ARangeLimitsWhatIsWatched) {
  EXPECT_EQ(OutputOf(*path_, {"8..9", "--watch", "order:4"}),
            "2020-01-30T09:30:08.000000000Z  9.0 accepted order=9 side=ask market=AAPL "
            "quantity=20 remaining=20 account=6\n"
            "2020-01-30T09:30:08.000000000Z  9.1 trade maker=3 taker=9 side=bid market=AAPL "
            "price=320.1400 quantity=20 remaining=20 account=3\n"
            "     bid 320.1400, 50 remaining, 1 order with 20 ahead\n");
  ExpectRefused({"1..3", "--watch", "order:4"}, "not found from @1 to @3");
  ExpectRefused({"--watch", "market:APPL"},
                "--watch 'APPL': no such market is defined up to there; "
                "did you mean 'AAPL'?");
}

TEST_F(InspectMomentsTest, WatchesALevel) {
  const std::string text = OutputOf(*path_, {"--watch", "level:AAPL:bid:320.14"});
  EXPECT_THAT(text, HasSubstr("4.0 accepted order=4 side=bid market=AAPL price=320.1400 "
                              "quantity=50 remaining=50 account=4\n     150 in 2 orders\n"));
  EXPECT_THAT(text, HasSubstr("12.0 amended order=4 side=bid market=AAPL price=320.1500 "
                              "quantity=70 remaining=70 account=4 priority=lost\n"
                              "     20 in 1 order\n"))
      << "who leaves for another price";
  EXPECT_EQ(OutputOf(*path_, {"--watch", "level:KX,\"RAIN\":bid:0.56"}),
            "2020-01-30T09:30:07.000000000Z  8.0 accepted order=8 side=bid market=KX,\"RAIN\" "
            "price=0.5600 quantity=10.00 remaining=10.00 account=4\n"
            "     10.00 in 1 order\n");
  EXPECT_THAT(OutputOf(*money_path_, {"--watch", "level:RAIN:bid:0.56"}),
              EndsWith("reason=requested\n     no order rests there\n"));
}

TEST_F(InspectMomentsTest, WatchesAnAccount) {
  const std::string text = OutputOf(*money_path_, {"--watch", "account:4"});
  EXPECT_THAT(text, StartsWith("2020-01-30T09:30:03.000000000Z  4.0 account_opened account=4\n"
                               "     balance 0.000000, 0.000000 of it reserved\n"));
  EXPECT_THAT(text, HasSubstr("7.1 trade maker=6 taker=7")) << "as taker too";
  EXPECT_THAT(text, EndsWith("     balance 48.240000, 0.000000 of it reserved\n"));
  EXPECT_THAT(OutputOf(*money_path_, {"--watch", "account:3"}), HasSubstr("9.0 rejected"));
}

TEST_F(InspectMomentsTest, WatchesAMarket) {
  EXPECT_EQ(OutputOf(*path_, {"..8", "--watch", "market:KX,\"RAIN\""}),
            "2020-01-30T09:30:01.000000000Z  2.0 market_defined market=KX,\"RAIN\"\n"
            "2020-01-30T09:30:07.000000000Z  8.0 accepted order=8 side=bid market=KX,\"RAIN\" "
            "price=0.5600 quantity=10.00 remaining=10.00 account=4\n"
            "     best bid 0.5600, best ask none\n");
}

TEST_F(InspectMomentsTest, WatchAsJsonIsALineACommand) {
  const std::string json = OutputOf(*path_, {"7", "--watch", "order:4", "--json"});
  EXPECT_THAT(json, StartsWith(R"({"schema":"ticktape.inspect-watch/1","watched":"order:4",)"
                               R"("sequence":7,"time":"2020-01-30T09:30:06.000000000Z",)"
                               R"("events":[{"sequence":7,"index":0,)"));
  EXPECT_THAT(json, EndsWith(R"("state":{"changed":true,"rests":true,"side":"bid",)"
                             R"("price":"320.1400","price_units":3201400,"remaining":"50",)"
                             R"("remaining_units":50,"orders_ahead":1,"quantity_ahead":"40",)"
                             R"("quantity_ahead_units":40}})"
                             "\n"));
  EXPECT_THAT(OutputOf(*path_, {"5", "--watch", "level:AAPL:bid:320.12", "--json"}),
              HasSubstr(R"("state":{"changed":true,"quantity":"200","quantity_units":200,)"
                        R"("orders":1})"));
}

TEST_F(InspectMomentsTest, BothEnginesAreAskedAndAgree) {
  for (std::vector<std::string> words :
       std::vector<std::vector<std::string>>{{"@7", "--account", "3"},
                                             {"--diff", "@5", "@9"},
                                             {"--watch", "account:4"},
                                             {"@8", "--account", "4", "--json"}}) {
    const std::string expected = OutputOf(*money_path_, words);
    words.insert(words.end(), {"--engine", "reference"});
    EXPECT_EQ(OutputOf(*money_path_, words), expected);
  }
}

TEST_F(InspectMomentsTest, RefusesWhatDoesNotGoTogether) {
  ExpectRefused({"--diff", "@9", "@6"}, "--diff runs backwards: from @9 to @6");
  ExpectRefused({"--diff", "@9", "@16"}, "@16 is outside: the journal holds 1..15");
  ExpectRefused({"@3", "--diff", "@6", "@9"}, "--diff has two positions of its own");
  ExpectRefused({"--diff", "@6", "@9", "--order", "4"}, "go with one position");
  ExpectRefused({"--diff", "@6", "@9", "--market", "X"},
                "--market 'X': no such market is defined up to there");
  ExpectRefused({"--diff", "@6", "@9", "--watch", "order:4"}, "ask one");
  ExpectRefused({"--watch", "order:x"}, "expected order:4711, level:AAPL:bid:320.14");
  ExpectRefused({"--watch", "level:AAPL:buy:1"}, "expected order:4711");
  ExpectRefused({"--watch", "level:bid:1"}, "expected order:4711");
  ExpectRefused({"--watch", "account:"}, "expected order:4711");
  ExpectRefused({"--watch", "market:"}, "expected order:4711");
  ExpectRefused({"--watch", "level:AAPL:bid:0.00001"}, "more than 4 decimals");
  ExpectRefused({"--watch", "order:16"}, "the journal ends at @15");
  ExpectRefused({"--watch", "market:AAPL", "--market", "AAPL"}, "names its market itself");
  ExpectRefused({"--life"}, "--life needs --order");
  ExpectRefused({"--account", "5000000000"}, "is not an account's number");
  ExpectRefused({"-i", "--json"}, "-i and --json exclude each other");
  ExpectRefused({"-i", "--queue", "bid@1"}, "-i shows queues itself");
  ExpectRefused({"-i", "@16"}, "@16 is outside");
}

TEST_F(InspectMomentsTest, AnEmptyJournalHasNothingToAskOf) {
  const std::string path = WriteSampleJournal("inspect_moments_empty", SampleJournalOptions());
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--diff", "@1", "@1"}, {"--watch", "market:AAPL"}, {"-i"}}) {
    const VerbResult result = Run(path, words);
    EXPECT_EQ(result.code, ExitCode::kUsage);
    EXPECT_THAT(result.error, HasSubstr("the journal is empty"));
  }
}

}  // namespace
}  // namespace tools
