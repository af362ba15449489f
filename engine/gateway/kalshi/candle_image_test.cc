#include "engine/gateway/kalshi/candle_image.h"

#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/views/candles.h"
#include "engine/wire/kalshi/market_objects.h"
#include "engine/wire/kalshi/numbers.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr Timestamp kBegin = Timestamp::FromNanos(int64_t{3'600} * 1'000'000'000);

Price At(int64_t units) { return Price::FromUnits(units); }

Candle Busy() {
  Candle candle;
  candle.market = MarketId(7);
  candle.trades = PriceSpan{At(5'000), At(5'500), At(4'900), At(5'200)};
  candle.bid = PriceSpan{At(4'000), At(4'800), At(4'000), At(4'700)};
  candle.ask = PriceSpan{At(5'600), At(6'000), At(5'300), At(5'300)};
  candle.volume = Quantity::FromUnits(400);
  candle.open_interest = Quantity::FromUnits(900);
  candle.previous = At(3'000);
  return candle;
}

TEST(CarryOver, KeepsWhatHeldAtTheEnd) {
  Candle expected;
  expected.begin = kBegin;
  expected.market = MarketId(7);
  expected.bid = PriceSpan::Of(At(4'700));
  expected.ask = PriceSpan::Of(At(5'300));
  expected.open_interest = Quantity::FromUnits(900);
  expected.previous = At(5'200);
  EXPECT_EQ(CarryOver(Busy(), kBegin), expected);
}

TEST(CarryOver, WithoutTradesThePriceIsTheOneBefore) {
  Candle last = Busy();
  last.trades.reset();
  EXPECT_EQ(CarryOver(last, kBegin).previous, At(3'000));
}

TEST(CarryOver, ASideThatWasEmptyAtTheEndIsEmpty) {
  Candle last = Busy();
  last.bid_is_empty = true;
  last.ask_is_empty = true;
  const kalshi::Candlestick image = CandleImageOf(CarryOver(last, kBegin), CandlePeriod::kHour);
  EXPECT_EQ(image.bid.close, Price());
  EXPECT_EQ(image.ask.close, kalshi::kOneDollar);
}

TEST(CandleImage, EndsAPeriodLater) {
  Candle candle = Busy();
  candle.begin = kBegin;
  EXPECT_EQ(CandleImageOf(candle, CandlePeriod::kMinute).end_s, 3'660);
  EXPECT_EQ(CandleImageOf(candle, PeriodOf(60)).end_s, 7'200);
  EXPECT_EQ(CandleImageOf(candle, PeriodOf(1'440)).end_s, 3'600 + 86'400);
}

}  // namespace
}  // namespace engine
