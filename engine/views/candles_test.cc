#include "engine/views/candles.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/views/page.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr MarketId kMarket(7);

Timestamp At(int64_t seconds) {
  return Timestamp::FromNanos(1'800'000'000 * kSecond + seconds * kSecond);
}
Price Cents(int64_t cents) { return Price::FromUnits(100 * cents); }

void Trade(CandleView& view, int64_t seconds, int64_t cents, uint64_t quantity) {
  Command command;
  command.timestamp = At(seconds);
  Event event;
  event.kind = EventKind::kTrade;
  event.market = kMarket;
  event.price = Cents(cents);
  event.quantity = Quantity::FromUnits(quantity);
  view.OnEvents(command, {&event, 1});
}

void Quote(CandleView& view, int64_t seconds, std::optional<int64_t> bid) {
  CandleView::Quotes quotes;
  if (bid.has_value()) quotes.bid = Cents(*bid);
  view.OnQuotes(kMarket, At(seconds), quotes);
}

std::vector<Candle> All(const CandleView& view, CandlePeriod period) {
  return view.Candles(kMarket, period, {}, 100);
}

TEST(Candles, AMinuteHasTheFirstHighestLowestAndLastPrice) {
  CandleView view;
  for (const int64_t cents : {50, 60, 40, 45}) Trade(view, 1, cents, 10);
  const std::vector<Candle> candles = All(view, CandlePeriod::kMinute);
  ASSERT_EQ(candles.size(), 1u);
  EXPECT_EQ(candles[0].begin, At(0));
  EXPECT_EQ(candles[0].trades, (PriceSpan{Cents(50), Cents(60), Cents(40), Cents(45)}));
  EXPECT_EQ(candles[0].volume, Quantity::FromUnits(40));
  EXPECT_EQ(candles[0].mean, Price::FromUnits(4'875));
  EXPECT_EQ(candles[0].previous, std::nullopt);
}

// A market may have prices below zero.
TEST(Candles, AMeanBelowZeroIsRoundedAsOneAbove) {
  const auto mean_of = [](int64_t sign) {
    CandleView view;
    Trade(view, 1, -sign, 2);
    Trade(view, 1, sign, 1);
    Trade(view, 61, sign, 1);
    Trade(view, 61, 0, 199);
    std::vector<int64_t> means;
    for (const Candle& candle : All(view, CandlePeriod::kMinute)) {
      means.push_back(candle.mean->units());
    }
    return means;
  };
  EXPECT_EQ(mean_of(-1), (std::vector<int64_t>{33, -1})) << "33.3 and -0.5";
  EXPECT_EQ(mean_of(1), (std::vector<int64_t>{-33, 1}));
  EXPECT_EQ(mean_of(-2), (std::vector<int64_t>{67, -1})) << "66.7 and -1.0";
  EXPECT_EQ(mean_of(2), (std::vector<int64_t>{-67, 1}));
}

TEST(Candles, MinutesJoinToHours) {
  CandleView view;
  Trade(view, 10, 50, 1);
  Trade(view, 70, 55, 1);
  Trade(view, 3'700, 45, 1);
  EXPECT_EQ(All(view, CandlePeriod::kMinute).size(), 3u);
  const std::vector<Candle> hours = All(view, CandlePeriod::kHour);
  ASSERT_EQ(hours.size(), 2u);
  EXPECT_EQ(hours[0].trades, (PriceSpan{Cents(50), Cents(55), Cents(50), Cents(55)}));
  EXPECT_EQ(hours[1].previous, Cents(55));
  EXPECT_EQ(view.Candles(kMarket, CandlePeriod::kHour, {}, 1).size(), 1u);
}

TEST(Candles, QuotesGoOnFromMinuteToMinute) {
  CandleView view;
  Quote(view, 5, 40);
  Quote(view, 65, 42);
  Quote(view, 125, std::nullopt);
  const std::vector<Candle> candles = All(view, CandlePeriod::kMinute);
  ASSERT_EQ(candles.size(), 3u);
  EXPECT_EQ(candles[1].bid, (PriceSpan{Cents(40), Cents(42), Cents(40), Cents(42)}));
  EXPECT_EQ(candles[2].bid, PriceSpan::Of(Cents(42)));
  EXPECT_TRUE(candles[2].bid_is_empty);
  EXPECT_EQ(candles[2].ask, std::nullopt);
}

TEST(Candles, OnlyWholeMinutesCameBefore) {
  CandleView view;
  Trade(view, 10, 50, 1);
  Trade(view, 70, 55, 1);
  EXPECT_EQ(view.LastBefore(kMarket, At(59)), std::nullopt);
  EXPECT_EQ(view.LastBefore(kMarket, At(60))->begin, At(0));
  EXPECT_EQ(view.LastBefore(kMarket, At(1'000))->begin, At(60));
  EXPECT_EQ(view.LastBefore(MarketId(8), At(1'000)), std::nullopt);
}

TEST(Candles, OldOnesAreForgotten) {
  CandleView few(2);
  for (const int64_t seconds : {10, 70, 130}) Trade(few, seconds, 50, 1);
  EXPECT_EQ(All(few, CandlePeriod::kMinute).size(), 2u);
  CandleView one(CandleView::kCandlesMin);
  for (const int64_t seconds : {10, 70}) Trade(one, seconds, 50, 1);
  EXPECT_EQ(All(one, CandlePeriod::kMinute).size(), 1u);
  CandleView view;
  Trade(view, 10, 50, 1);
  Trade(view, CandleView::kAgeMaxNanos / kSecond + 120, 50, 1);
  EXPECT_EQ(All(view, CandlePeriod::kMinute).size(), 1u);
}

TEST(CandlesDeathTest, OneIsTheLeast) {
  EXPECT_DEATH(CandleView none(0), "candles_max >= kCandlesMin .* at least 1 candle, found 0");
}

}  // namespace
}  // namespace engine
