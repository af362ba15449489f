#include "engine/wire/dbn/record_text.h"

#include <cstdint>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/wire/dbn/records.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr uint64_t kTime = 1'580'376'606'000'000'001;
constexpr absl::string_view kTimeText = "2020-01-30T09:30:06.000000001Z";

template <typename Record>
Record RecordOf(char action, char side, int64_t price) {
  Record record;
  record.header = {.length = sizeof(Record) / 4,
                   .rtype = Record::kType,
                   .publisher_id = 1,
                   .instrument_id = 7,
                   .ts_event = kTime};
  record.price = price;
  record.size = 5;
  record.action = action;
  record.side = side;
  record.flags = kDbnLast;
  record.ts_recv = kTime;
  record.sequence = 3;
  return record;
}

// The expected texts are those of Databento's own encoder.
TEST(DbnRecordTextTest, AChangeOfAnOrder) {
  auto record = RecordOf<DbnMbo>(kDbnAdd, kDbnAsk, 320'140'000'000);
  record.order_id = 9;
  DbnRecordText text;
  std::string csv = DbnCsvHeader(record);
  text.AppendCsv(record, DbnCsvSymbol("AAPL"), csv);
  EXPECT_EQ(csv, absl::StrCat(
                     "ts_recv,ts_event,rtype,publisher_id,instrument_id,action,side,price,size,"
                     "channel_id,order_id,flags,ts_in_delta,sequence,symbol\n",
                     kTimeText, ",", kTimeText, ",160,1,7,A,A,320.140000000,5,0,9,128,0,3,AAPL\n"));
  std::string json;
  text.AppendJson(record, DbnJsonSymbol("AAPL,X"), json);
  EXPECT_EQ(json, absl::StrCat(R"({"ts_recv":")", kTimeText, R"(","hd":{"ts_event":")", kTimeText,
                               R"(","rtype":160,"publisher_id":1,"instrument_id":7},"action":"A",)"
                               R"("side":"A","price":"320.140000000","size":5,"channel_id":0,)"
                               R"("order_id":"9","flags":128,"ts_in_delta":0,"sequence":3,)"
                               R"("symbol":"AAPL,X"})",
                               "\n"));
}

TEST(DbnRecordTextTest, ATrade) {
  const auto record = RecordOf<DbnTrade>(kDbnTrade, kDbnAsk, -320'140'000'000);
  DbnRecordText text;
  std::string csv = DbnCsvHeader(record);
  text.AppendCsv(record, DbnCsvSymbol("AAPL,X"), csv);
  EXPECT_EQ(csv, absl::StrCat("ts_recv,ts_event,rtype,publisher_id,instrument_id,action,side,depth,"
                              "price,size,flags,ts_in_delta,sequence,symbol\n",
                              kTimeText, ",", kTimeText,
                              ",0,1,7,T,A,0,-320.140000000,5,128,0,3,\"AAPL,X\"\n"));
  std::string json;
  text.AppendJson(record, DbnJsonSymbol("A\"\\"), json);
  EXPECT_EQ(json, absl::StrCat(R"({"ts_recv":")", kTimeText, R"(","hd":{"ts_event":")", kTimeText,
                               R"(","rtype":0,"publisher_id":1,"instrument_id":7},"action":"T",)"
                               R"("side":"A","depth":0,"price":"-320.140000000","size":5,)"
                               R"("flags":128,"ts_in_delta":0,"sequence":3,"symbol":"A\"\\"})",
                               "\n"));
}

TEST(DbnRecordTextTest, LevelsThatAreNotThereHaveNoPrice) {
  auto record = RecordOf<DbnMbp10>(kDbnClear, kDbnNoSide, kDbnNoPrice);
  record.levels[0] = {.bid_px = 1, .ask_px = 2, .bid_sz = 3, .ask_sz = 4, .bid_ct = 5, .ask_ct = 6};
  DbnRecordText text;
  std::string csv;
  text.AppendCsv(record, DbnCsvSymbol("AAPL"), csv);
  std::string expected = absl::StrCat(kTimeText, ",", kTimeText,
                                      ",10,1,7,R,N,0,,5,128,0,3,0.000000001,0.000000002,3,4,5,6,");
  for (int i = 1; i < 10; ++i) expected += ",,0,0,0,0,";
  EXPECT_EQ(csv, expected + "AAPL\n");
  EXPECT_TRUE(
      DbnCsvHeader(record).ends_with("_08,bid_px_09,ask_px_09,bid_sz_09,ask_sz_09,"
                                     "bid_ct_09,ask_ct_09,symbol\n"));
  std::string json;
  text.AppendJson(record, DbnJsonSymbol("AAPL"), json);
  expected = absl::StrCat(R"({"ts_recv":")", kTimeText, R"(","hd":{"ts_event":")", kTimeText,
                          R"(","rtype":10,"publisher_id":1,"instrument_id":7},"action":"R",)"
                          R"("side":"N","depth":0,"price":null,"size":5,"flags":128,)"
                          R"("ts_in_delta":0,"sequence":3,"levels":[{"bid_px":"0.000000001",)"
                          R"("ask_px":"0.000000002","bid_sz":3,"ask_sz":4,"bid_ct":5,"ask_ct":6})");
  for (int i = 1; i < 10; ++i) {
    expected += R"(,{"bid_px":null,"ask_px":null,"bid_sz":0,"ask_sz":0,"bid_ct":0,"ask_ct":0})";
  }
  EXPECT_EQ(json, expected + "],\"symbol\":\"AAPL\"}\n");
}

TEST(DbnRecordTextTest, TheLongestLineFits) {
  auto record = RecordOf<DbnMbp10>(kDbnTrade, kDbnBid, std::numeric_limits<int64_t>::min());
  constexpr uint32_t kMany = std::numeric_limits<uint32_t>::max();
  record.levels.fill({.bid_px = std::numeric_limits<int64_t>::min(),
                      .ask_px = std::numeric_limits<int64_t>::min(),
                      .bid_sz = kMany,
                      .ask_sz = kMany,
                      .bid_ct = kMany,
                      .ask_ct = kMany});
  DbnRecordText text;
  std::string out;
  text.AppendJson(record, "\"\"", out);
  EXPECT_LT(out.size(), 2'500u);
  EXPECT_NE(out.find("\"-9223372036.854775808\""), std::string::npos);
}

}  // namespace
}  // namespace engine
