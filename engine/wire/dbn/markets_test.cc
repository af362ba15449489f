#include "engine/wire/dbn/markets.h"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/wire/dbn/metadata.h"
#include "engine/wire/dbn/records.h"
#include "engine/wire/dbn/testing/streams.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

using ::testing::HasSubstr;

constexpr uint64_t kDay = 86'400'000'000'000;

DbnMapping Mapping(const std::string& symbol, uint32_t first, uint32_t end,
                   const std::string& instrument) {
  return {.symbol = symbol,
          .intervals = {{.start_date = first, .end_date = end, .symbol = instrument}}};
}

DbnMarkets MarketsOf(std::vector<DbnMapping> mappings) {
  DbnMarkets markets;
  const absl::Status begun = markets.Begin({.mappings = std::move(mappings)});
  EXPECT_TRUE(begun.ok()) << begun;
  return markets;
}

DbnMbo RecordOf(uint32_t instrument, uint64_t days_later = 0) {
  DbnMbo record = DbnTestRecord(kDbnAdd, kDbnBid);
  record.header.instrument_id = instrument;
  record.ts_recv += days_later * kDay;
  return record;
}

std::string SymbolOf(DbnMarkets& markets, uint32_t instrument, uint64_t days_later = 0) {
  return markets.Of(RecordOf(instrument, days_later)).symbol;
}

// Learns the prices, of 10^-9 each.
absl::StatusOr<DbnMarket> Learn(const std::vector<int64_t>& prices) {
  DbnMarkets markets = MarketsOf({});
  DbnMbo record = RecordOf(7);
  for (const int64_t price : prices) {
    record.price = price;
    const absl::Status learnt = markets.Learn(record);
    if (!learnt.ok()) return learnt;
  }
  return markets.Of(record);
}

TEST(DbnMarkets, AMarketIsASymbol) {
  DbnMarkets markets = MarketsOf({Mapping("AAPL", 20200130, 20200131, "7")});
  const DbnMarket market = markets.Of(RecordOf(7));
  EXPECT_EQ(market.symbol, "AAPL");
  EXPECT_EQ(market.id, MarketId(7));
  EXPECT_EQ(SymbolOf(markets, 8), "8") << "without a mapping";
}

TEST(DbnMarkets, InstrumentIdsMayBeAskedFor) {
  DbnMarkets markets;
  ASSERT_TRUE(markets
                  .Begin({.symbols_in = kDbnInstrumentIds,
                          .symbols_out = kDbnRawSymbols,
                          .mappings = {Mapping("7", 20200130, 20200131, "AAPL")}})
                  .ok());
  EXPECT_EQ(SymbolOf(markets, 7), "AAPL");
}

TEST(DbnMarkets, ASymbolIsThatOfTheDay) {
  DbnMarkets markets =
      MarketsOf({Mapping("AAPL", 20200130, 20200131, "7"), Mapping("MSFT", 20200131, 20200201, "7"),
                 Mapping("AAPL", 20200131, 20200202, "8")});
  EXPECT_EQ(SymbolOf(markets, 7, 0), "AAPL");
  EXPECT_EQ(SymbolOf(markets, 7, 1), "MSFT");
  EXPECT_EQ(SymbolOf(markets, 7, 2), "7") << "its symbols have ended";
  EXPECT_EQ(SymbolOf(markets, 7, 0), "AAPL") << "times may go back";
  const MarketId apple = markets.Of(RecordOf(7)).id;
  EXPECT_EQ(markets.Of(RecordOf(8, 1)).id, apple) << "the same symbol is the same market";
  EXPECT_NE(markets.Of(RecordOf(7, 1)).id, apple);
  EXPECT_NE(markets.Of(RecordOf(7, 2)).id, apple);
}

TEST(DbnMarkets, WhatIsNoSymbolHereIsANumber) {
  DbnMarkets markets =
      MarketsOf({Mapping("AAPL  200131C00320000", 20200130, 20200131, "7"),
                 Mapping("AAPL200131 C00320000", 20200130, 20200131, "8"),
                 Mapping(std::string(33, 'X'), 20200130, 20200131, "9"),
                 Mapping("#A", 20200130, 20200131, "10"), Mapping("", 20200130, 20200131, "11"),
                 Mapping("12", 20200130, 20200131, "13")});
  EXPECT_EQ(SymbolOf(markets, 7), "AAPL200131C00320000");
  EXPECT_EQ(SymbolOf(markets, 8), "8") << "taken";
  EXPECT_EQ(SymbolOf(markets, 9), "9");
  EXPECT_EQ(SymbolOf(markets, 10), "10");
  EXPECT_EQ(SymbolOf(markets, 11), "11");
  EXPECT_EQ(SymbolOf(markets, 13), "12");
  EXPECT_EQ(SymbolOf(markets, 12), "12-7") << "taken, and so is its number";
  EXPECT_EQ(markets.Of(RecordOf(0)).symbol, "0");
  EXPECT_EQ(markets.Of(RecordOf(0)).id, MarketId(14)) << "a market has a number above zero";
}

TEST(DbnMarkets, ASymbolOfTwoInstrumentsIsNone) {
  DbnMarkets markets =
      MarketsOf({Mapping("ES", 20200101, 20200301, "7"), Mapping("ES", 20200102, 20200103, "8"),
                 Mapping("NQ", 20200101, 20200201, "9"), Mapping("NQ", 20200115, 20200301, "9")});
  EXPECT_EQ(SymbolOf(markets, 7), "7");
  EXPECT_EQ(SymbolOf(markets, 8), "8");
  EXPECT_EQ(SymbolOf(markets, 9), "NQ");
}

TEST(DbnMarkets, ADateThatIsNoDayIsRefused) {
  DbnMarkets markets;
  EXPECT_EQ(
      markets.Begin({.mappings = {Mapping("A", 20201345, 20210101, "7")}}),
      absl::InvalidArgumentError("metadata: the date 20201345 of a symbol mapping is not a day"));
  EXPECT_TRUE(markets.Begin({.mappings = {Mapping("A", 20200101, 99991231, "7")}}).ok());
  EXPECT_EQ(SymbolOf(markets, 7), "A");
}

TEST(DbnMarkets, DecimalsAreTheFewestThatAreExact) {
  EXPECT_EQ(Learn({100'000'000'000})->price_decimals, 0);
  EXPECT_EQ(Learn({100'000'000'000, 100'250'000'000})->price_decimals, 2);
  EXPECT_EQ(Learn({-1, 5})->price_decimals, 9);
  const auto market = Learn({-100'250'000'000, 0, kDbnNoPrice});
  ASSERT_TRUE(market.ok()) << market.status();
  EXPECT_EQ(market->price_decimals, 2);
  EXPECT_EQ(*market->PriceOf(-100'250'000'000), Price::FromUnits(-10'025));
  EXPECT_EQ(market->PriceOf(5'000'000).status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(market->PriceOf(101'000'000'000).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST(DbnMarkets, PricesThatNoMarketHasAreRefused) {
  EXPECT_TRUE(Learn({1'000'000'000'000, 1}).ok()) << "1000 with nine decimals";
  const auto refused = Learn({320'010'000'000'000, 100});
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(refused.status().message(),
              HasSubstr("instrument 7 (7), order 1: with its price 0.000000100 the market's prices "
                        "need 7 decimals and reach 320010; a market has at most 1000000000000"));
  const int64_t low = std::numeric_limits<int64_t>::min();
  EXPECT_FALSE(Learn({low}).ok());
  EXPECT_TRUE(Learn({low / 1'000'000'000 * 1'000'000'000}).ok());
}

TEST(DbnMarkets, OnlyPricesThatAreReadCount) {
  DbnMarkets markets = MarketsOf({});
  for (const char action : {kDbnCancel, kDbnClear, kDbnNoAction}) {
    DbnMbo record = DbnTestRecord(action, kDbnBid);
    record.price = 1;
    ASSERT_TRUE(markets.Learn(record).ok());
  }
  EXPECT_EQ(markets.Of(RecordOf(7)).price_decimals, 0);
}

}  // namespace
}  // namespace engine
