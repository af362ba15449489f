#include <fstream>
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

using ::testing::HasSubstr;
using ::testing::TempDir;

class CatVerbTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { path_ = new std::string(WriteSampleJournal("cat")); }
  static void TearDownTestSuite() { delete path_; }

  static VerbResult Cat(std::vector<std::string> words) {
    words.insert(words.begin(), *path_);
    return RunVerb(MakeCatVerb(), words);
  }
  // The sequence numbers of the commands for which the expression holds.
  static std::string Where(const std::string& expression) {
    return Cat({"--fields", "sequence", "--where", expression}).output;
  }

  static inline std::string* path_ = nullptr;
};

TEST_F(CatVerbTest, PrintsCommandsInTheTextForm) {
  const VerbResult result = Cat({"1..+6"});
  EXPECT_EQ(result.code, ExitCode::kOk);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.output,
            "1 2020-01-30T09:30:00.000000000Z define_market id=1 symbol=AAPL price_decimals=4 "
            "quantity_decimals=0 tick=0.0100 price_min=0.0100 price_max=1000.0000 lot=1\n"
            "2 2020-01-30T09:30:01.000000000Z define_market id=7 symbol=KX,\"RAIN\" "
            "price_decimals=4 quantity_decimals=2 tick=0.0100 price_min=0.0100 price_max=0.9900 "
            "lot=1.00\n"
            "3 2020-01-30T09:30:02.000000000Z bid market=AAPL price=320.1400 quantity=100 "
            "account=3 client_order_id=900\n"
            "4 2020-01-30T09:30:03.000000000Z bid market=AAPL price=320.1400 quantity=50 "
            "account=4\n"
            "5 2020-01-30T09:30:04.000000000Z bid market=AAPL price=320.1200 quantity=200 "
            "account=3\n"
            "6 2020-01-30T09:30:05.000000000Z ask market=AAPL price=320.1700 quantity=300 "
            "account=5\n");
}

TEST_F(CatVerbTest, ARangeKnowsTheMarketsDefinedBeforeIt) {
  EXPECT_EQ(Cat({"@-3.."}).output,
            "13 2020-01-30T09:30:12.000000000Z cancel market=AAPL order=8 account=4\n"
            "14 2020-01-30T09:30:13.000000000Z advance_time\n"
            "15 2020-01-30T09:30:14.000000000Z ask market=AAPL price=320.1900 quantity=40 "
            "account=6\n");
  EXPECT_EQ(Cat({"@order:8"}).output,
            "8 2020-01-30T09:30:07.000000000Z bid market=KX,\"RAIN\" price=0.5600 "
            "quantity=10.00 account=4\n");
}

TEST_F(CatVerbTest, WhereChoosesCommands) {
  EXPECT_EQ(Where("kind==new_order && price>=320.14 && market==AAPL"), "3\n4\n6\n7\n15\n");
  EXPECT_EQ(Where("market=='KX,\"RAIN\"'"), "2\n8\n");
  EXPECT_EQ(Where("attachment"), "1\n2\n");
  EXPECT_EQ(Where("order==8 || sequence==8"), "8\n13\n");
  EXPECT_EQ(Where("time>=2020-01-30T09:30:12Z"), "13\n14\n15\n");
  EXPECT_EQ(Where("type==market"), "9\n");
}

TEST_F(CatVerbTest, LimitCountsWhatIsPrinted) {
  EXPECT_EQ(Cat({"--where", "account==3", "--limit", "2", "--fields", "sequence"}).output,
            "3\n5\n");
}

TEST_F(CatVerbTest, FieldsAreSeparatedByTabsWithADashForNone) {
  EXPECT_EQ(Cat({"7..+3", "--fields", "sequence,side,type,price,quantity,client_order_id"}).output,
            "7\task\tlimit\t320.1400\t60\t-\n"
            "8\tbid\tlimit\t0.5600\t10.00\t-\n"
            "9\task\tmarket\t-\t20\t-\n");
  EXPECT_EQ(Cat({"14", "--fields", "time,kind,market,tif,order,account,attachment"}).output,
            "2020-01-30T09:30:13.000000000Z\tadvance_time\t-\t-\t-\t-\t-\n");
}

TEST_F(CatVerbTest, RawIsTheRow) {
  EXPECT_EQ(Cat({"3", "--raw"}).output,
            "0300000000000000 00848c7525a0ee15 0000000000000000 78d9300000000000 "
            "6400000000000000 8403000000000000 0300000001000000 0200010101000000\n");
}

TEST_F(CatVerbTest, RawShowsTheAttachment) {
  EXPECT_THAT(Cat({"1", "--raw"}).output, HasSubstr(" 0100000000000000 +0000000005000100"));
}

TEST_F(CatVerbTest, JsonIsOneObjectALine) {
  EXPECT_EQ(
      Cat({"8..9", "--json"}).output,
      R"({"schema":"ticktape.command/1","sequence":8,"time":"2020-01-30T09:30:07.000000000Z",)"
      R"("kind":"new_order","market":"KX,\"RAIN\"","market_id":7,"side":"bid","type":"limit",)"
      R"("tif":"gtc","price":"0.5600","price_units":5600,"quantity":"10.00",)"
      R"("quantity_units":1000,"account":4})"
      "\n"
      R"({"schema":"ticktape.command/1","sequence":9,"time":"2020-01-30T09:30:08.000000000Z",)"
      R"("kind":"new_order","market":"AAPL","market_id":1,"side":"ask","type":"market",)"
      R"("tif":"ioc","quantity":"20","quantity_units":20,"account":6})"
      "\n");
}

TEST_F(CatVerbTest, JsonShowsADefinitionInItsOwnDecimals) {
  EXPECT_THAT(Cat({"2", "--json"}).output,
              HasSubstr(R"("definition":{"id":7,"symbol":"KX,\"RAIN\"","price_decimals":4,)"
                        R"("quantity_decimals":2,"tick":"0.0100","tick_units":100,)"));
}

TEST_F(CatVerbTest, SaysWhatToDoWithAFileThatIsNoJournal) {
  const std::string file = absl::StrCat(TempDir(), "/orders.csv.gz");
  std::ofstream(file) << "\x1f\x8b";
  const VerbResult result = RunVerb(MakeCatVerb(), {file});
  EXPECT_EQ(result.code, ExitCode::kIo);
  EXPECT_THAT(result.error, HasSubstr(absl::StrCat("'", file, "' is a file, and a journal is a ",
                                                   "folder; 'ticktape record ", file)));
}

TEST_F(CatVerbTest, SaysWhenAMarketIsNotDefined) {
  const VerbResult result = Cat({"--where", "market==APPL"});
  EXPECT_EQ(result.output, "");
  EXPECT_EQ(result.code, ExitCode::kUsage);
  EXPECT_THAT(result.error, HasSubstr("--where: market 'APPL': no such market is defined up to "
                                      "there; did you mean 'AAPL'?"));
}

TEST_F(CatVerbTest, AnUnsealedJournalIsReadToItsEnd) {
  const std::string path =
      WriteSampleJournal("cat_unsealed", {.commands = SampleCommands(), .sealed = false});
  const VerbResult result = RunVerb(MakeCatVerb(), {path, "--fields", "sequence", "@-1"});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_EQ(result.output, "15\n");
}

TEST_F(CatVerbTest, AnEmptyJournalPrintsNothing) {
  const std::string path = WriteSampleJournal("cat_empty", SampleJournalOptions());
  const VerbResult result = RunVerb(MakeCatVerb(), {path});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_EQ(result.output, "");
}

TEST_F(CatVerbTest, DamageIsReportedAfterWhatCanBeRead) {
  const std::string path = WriteSampleJournal("cat_damaged");
  {
    // Within the second block: two preambles and the first block come before it.
    std::fstream file(absl::StrCat(path, "/segment-000000.tape"),
                      std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(3 * 4096 + 200);
    file << "damage";
  }
  const VerbResult result = RunVerb(MakeCatVerb(), {path, "--fields", "sequence"});
  EXPECT_EQ(result.code, ExitCode::kDamaged);
  EXPECT_EQ(result.output, "1\n2\n3\n4\n");
  EXPECT_THAT(result.error, HasSubstr("segment"));
  EXPECT_THAT(result.error, HasSubstr("5..8"));
}

TEST_F(CatVerbTest, ALateRangeReadsNoCommandsBeforeItButTheDefinitions) {
  const std::string path = WriteSampleJournal("cat_late");
  {
    // Within the second block, which has no definition.
    std::fstream file(absl::StrCat(path, "/segment-000000.tape"),
                      std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(3 * 4096 + 200);
    file << "damage";
  }
  const auto fields = [&](const std::string& range) {
    const VerbResult result = RunVerb(MakeCatVerb(), {path, range, "--fields", "sequence,market"});
    EXPECT_EQ(result.code, ExitCode::kOk) << range << ": " << result.error;
    return result.output;
  };
  const std::string last = "14\t-\n15\tAAPL\n";
  EXPECT_EQ(fields("@14.."), last);
  EXPECT_EQ(fields("@-2.."), last);
  EXPECT_EQ(fields("@+13s.."), last);
  EXPECT_EQ(fields("@2020-01-30T09:30:13Z..@+14s"), last);
}

TEST_F(CatVerbTest, RefusesWrongArguments) {
  const auto refused = [](const std::vector<std::string>& words, const char* message) {
    const VerbResult result = Cat(words);
    EXPECT_EQ(result.code, ExitCode::kUsage) << result.error;
    EXPECT_THAT(result.error, HasSubstr(message));
    EXPECT_EQ(result.output, "");
  };
  refused({"nonsense"}, "'nonsense' is not a position; expected @1234567");
  refused({"99.."}, "@99 is outside: the journal holds 1..15");
  refused({"--where", "px>5"}, "expected a field: sequence, time");
  refused({"--fields", "sequence,px"}, "'px' is not a field; expected sequence, time");
  refused({"--fields", ""}, "'' is not a field");
  refused({"--where", ""}, "expected a field");
  refused({"--fields", "sequence,"}, "'' is not a field");
  refused({"--raw", "--json"}, "--raw excludes --json and --fields");
  refused({"--raw", "--fields", "price"}, "--raw excludes --json and --fields");
  refused({"--limit", "0"}, "limit");
  refused({"--limit", "-1"}, "limit");
  refused({"--unknown"}, "--unknown");
  refused({"1", "2"}, "2");
}

TEST_F(CatVerbTest, SaysWhichPathIsNoJournal) {
  const VerbResult missing = RunVerb(MakeCatVerb(), {absl::StrCat(TempDir(), "/nowhere")});
  EXPECT_EQ(missing.code, ExitCode::kIo);
  EXPECT_THAT(missing.error, HasSubstr("/nowhere"));
  const VerbResult none = RunVerb(MakeCatVerb(), {"/"});
  EXPECT_EQ(none.code, ExitCode::kIo);
  EXPECT_THAT(none.error, HasSubstr("/"));
  EXPECT_EQ(RunVerb(MakeCatVerb(), {}).code, ExitCode::kUsage);
}

}  // namespace
}  // namespace tools
