// `export --what book|trades|orders`, on journals with a few orders.

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/testing/run_verb.h"
#include "tools/cli/testing/sample_journal.h"

namespace tools {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::TempDir;

class MarketDataExportTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { path_ = new std::string(WriteSampleJournal("market_data")); }
  static void TearDownTestSuite() { delete path_; }

  static VerbResult Export(std::vector<std::string> words) {
    words.insert(words.begin(), *path_);
    return RunVerb(MakeExportVerb(), words);
  }
  // The rows of CSV, each with these columns.
  static std::vector<std::string> Rows(const std::vector<std::string>& words,
                                       const std::vector<size_t>& columns) {
    const VerbResult result = Export(words);
    EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
    std::vector<std::string> rows;
    for (const absl::string_view line : absl::StrSplit(result.output, '\n', absl::SkipEmpty())) {
      const std::vector<absl::string_view> fields = absl::StrSplit(line, ',');
      std::vector<absl::string_view> shown;
      for (const size_t column : columns) shown.push_back(fields[column]);
      rows.push_back(absl::StrJoin(shown, ","));
    }
    return rows;
  }
  static std::string ContentsOf(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  static inline std::string* path_ = nullptr;
};

TEST_F(MarketDataExportTest, OrdersAreEveryChangeOfAnOrder) {
  EXPECT_THAT(Rows({"--what", "orders"}, {13, 4, 5, 6, 7, 8, 10, 11}),
              ElementsAre("sequence,instrument_id,action,side,price,size,order_id,flags",
                          "3,1,A,B,320.140000000,100,3,128",    //
                          "4,1,A,B,320.140000000,50,4,128",     //
                          "5,1,A,B,320.120000000,200,5,128",    //
                          "6,1,A,A,320.170000000,300,6,128",    //
                          "7,1,T,A,320.140000000,60,7,0",       //
                          "7,1,F,B,320.140000000,60,3,0",       //
                          "7,1,C,B,320.140000000,60,3,128",     //
                          "8,7,A,B,0.560000000,1000,8,128",     //
                          "9,1,T,A,320.140000000,20,9,0",       //
                          "9,1,F,B,320.140000000,20,3,0",       //
                          "9,1,C,B,320.140000000,20,3,128",     //
                          "10,1,C,B,320.120000000,80,5,128",    //
                          "11,1,C,A,320.170000000,300,6,0",     //
                          "11,1,A,A,320.160000000,250,11,128",  //
                          "12,1,C,B,320.140000000,50,4,0",      //
                          "12,1,A,B,320.150000000,70,4,128",    //
                          "15,1,A,A,320.190000000,40,15,128"));
}

TEST_F(MarketDataExportTest, ARangeBeginsWithTheOrdersThatRest) {
  EXPECT_THAT(Rows({"@12..", "--what", "orders"}, {13, 4, 5, 6, 7, 8, 10, 11}),
              ElementsAre("sequence,instrument_id,action,side,price,size,order_id,flags",
                          "11,1,R,N,,0,0,32",                   //
                          "11,1,A,B,320.140000000,20,3,32",     //
                          "11,1,A,B,320.140000000,50,4,32",     //
                          "11,1,A,B,320.120000000,120,5,32",    //
                          "11,1,A,A,320.160000000,250,11,160",  //
                          "11,7,R,N,,0,0,32",                   //
                          "11,7,A,B,0.560000000,1000,8,160",    //
                          "12,1,C,B,320.140000000,50,4,0",      //
                          "12,1,A,B,320.150000000,70,4,128",    //
                          "15,1,A,A,320.190000000,40,15,128"));
}

TEST_F(MarketDataExportTest, TradesHaveTheSideOfTheArrivingOrder) {
  EXPECT_THAT(
      Rows({"--what", "trades"}, {12, 4, 5, 6, 8, 9, 10, 13}),
      ElementsAre("sequence,instrument_id,action,side,price,size,flags,symbol",
                  "7,1,T,A,320.140000000,60,128,AAPL", "9,1,T,A,320.140000000,20,128,AAPL"));
}

// sequence, action, depth, then price, size and orders of the best bid, and of the second.
TEST_F(MarketDataExportTest, TheBookHasARowForEachChangeAndTrade) {
  EXPECT_THAT(Rows({"--what", "book", "--market", "AAPL"}, {12, 5, 6, 7, 13, 15, 17, 19, 14}),
              ElementsAre("sequence,action,side,depth,bid_px_00,bid_sz_00,bid_ct_00,bid_px_01,"
                          "ask_px_00",
                          "3,A,B,0,320.140000000,100,1,,",                            //
                          "4,A,B,0,320.140000000,150,2,,",                            //
                          "5,A,B,1,320.140000000,150,2,320.120000000,",               //
                          "6,A,A,0,320.140000000,150,2,320.120000000,320.170000000",  //
                          "7,T,A,0,320.140000000,150,2,320.120000000,320.170000000",  //
                          "7,C,B,0,320.140000000,90,2,320.120000000,320.170000000",   //
                          "9,T,A,0,320.140000000,90,2,320.120000000,320.170000000",   //
                          "9,C,B,0,320.140000000,70,2,320.120000000,320.170000000",   //
                          "10,C,B,1,320.140000000,70,2,320.120000000,320.170000000",  //
                          "11,C,A,0,320.140000000,70,2,320.120000000,",               //
                          "11,A,A,0,320.140000000,70,2,320.120000000,320.160000000",  //
                          "12,C,B,0,320.140000000,20,1,320.120000000,320.160000000",  //
                          "12,A,B,0,320.150000000,70,1,320.140000000,320.160000000",  //
                          "15,A,A,1,320.150000000,70,1,320.140000000,320.160000000"));
}

TEST_F(MarketDataExportTest, ChangesBelowTheDepthHaveNoRow) {
  EXPECT_THAT(
      Rows({"@5..@10", "--what", "book", "--market", "#1", "--depth", "1"}, {12, 5, 13, 15, 19}),
      ElementsAre("sequence,action,bid_px_00,bid_sz_00,bid_px_01",  //
                  "6,A,320.140000000,150,",                         //
                  "7,T,320.140000000,150,",                         //
                  "7,C,320.140000000,90,",                          //
                  "9,T,320.140000000,90,",                          //
                  "9,C,320.140000000,70,"));
}

TEST_F(MarketDataExportTest, TheNameOfTheFileChoosesTheFormat) {
  const std::string folder = TempDir();
  const auto written = [&](const char* name) {
    const std::string file = absl::StrCat(folder, "/", name);
    const VerbResult result = Export({"--what", "trades", "-o", file, "--force"});
    EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
    EXPECT_EQ(result.error, absl::StrCat("wrote 2 rows to ", file, "\n"));
    return ContentsOf(file);
  };
  EXPECT_EQ(written("a.csv"), Export({"--what", "trades"}).output);
  EXPECT_EQ(written("a.jsonl"), Export({"--what", "trades", "--json"}).output);
  const std::string dbn = written("a.dbn");
  EXPECT_EQ(dbn, Export({"--what", "trades", "--to", "dbn"}).output);
  EXPECT_EQ(dbn.substr(0, 4), "DBN\x03");
  const std::string compressed = written("a.dbn.zst");
  EXPECT_EQ(compressed.substr(0, 4), "\x28\xb5\x2f\xfd");
  EXPECT_LT(compressed.size(), dbn.size());
}

TEST_F(MarketDataExportTest, WhatDoesNotFitARowIsRefused) {
  const std::string path = WriteSampleJournal(
      "market_data_large", {.commands = {
                                "define_market id=1 symbol=BIG price_decimals=0 tick=1 price_min=1 "
                                "price_max=10000000000 lot=1",
                                "bid market=BIG price=9223372036 quantity=1 account=3",
                                "bid market=BIG price=9223372037 quantity=1 account=3",
                            }});
  const VerbResult refused = RunVerb(MakeExportVerb(), {path, "--what", "orders"});
  EXPECT_EQ(refused.code, ExitCode::kUsage);
  EXPECT_THAT(refused.error,
              HasSubstr("@3: the price 9223372037 of BIG is too large: Databento's rows have 64 "
                        "bits for counts of 10^-9"));
  EXPECT_EQ(RunVerb(MakeExportVerb(), {path, "@1..@2", "--what", "orders"}).code, ExitCode::kOk);
  const std::string many = WriteSampleJournal(
      "market_data_many",
      {.commands = {
           "define_market id=1 symbol=MANY price_decimals=0 tick=1 price_min=1 price_max=10 lot=1",
           "bid market=MANY price=5 quantity=4000000000 account=3",
           "bid market=MANY price=5 quantity=4000000000 account=3",
       }});
  EXPECT_THAT(RunVerb(MakeExportVerb(), {many, "--what", "book"}).error,
              HasSubstr("@3: a quantity of 8000000000 units of MANY is too large"));
  EXPECT_EQ(RunVerb(MakeExportVerb(), {many, "--what", "orders"}).code, ExitCode::kOk);
}

TEST_F(MarketDataExportTest, AnUnknownMarketIsRefused) {
  const VerbResult refused = Export({"--what", "book", "--market", "APPL"});
  EXPECT_EQ(refused.code, ExitCode::kUsage);
  EXPECT_THAT(refused.error, HasSubstr("--market 'APPL': no such market is defined"));
}

TEST_F(MarketDataExportTest, AnEmptyJournalIsAHeader) {
  const std::string path = WriteSampleJournal("market_data_empty", SampleJournalOptions());
  const VerbResult result = RunVerb(MakeExportVerb(), {path, "--what", "book"});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_THAT(result.output, EndsWith("bid_ct_09,ask_ct_09,symbol\n"));
}

}  // namespace
}  // namespace tools
