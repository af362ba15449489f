#include "engine/gateway/kalshi/candle_image.h"

#include <optional>

#include "engine/types/price.h"
#include "engine/wire/kalshi/numbers.h"

namespace engine {
namespace {

constexpr int64_t kSecondNanos = 1'000'000'000;

kalshi::Bar BarOf(const PriceSpan& span) {
  return {.open = span.open, .low = span.low, .high = span.high, .close = span.close};
}

}  // namespace

CandlePeriod PeriodOf(int32_t minutes) {
  if (minutes == 1) return CandlePeriod::kMinute;
  return minutes == 60 ? CandlePeriod::kHour : CandlePeriod::kDay;
}

Candle CarryOver(const Candle& last, Timestamp begin) {
  Candle candle;
  candle.begin = begin;
  candle.market = last.market;
  candle.open_interest = last.open_interest;
  if (last.bid.has_value() && !last.bid_is_empty) candle.bid = PriceSpan::Of(last.bid->close);
  if (last.ask.has_value() && !last.ask_is_empty) candle.ask = PriceSpan::Of(last.ask->close);
  candle.previous = last.trades.has_value() ? last.trades->close : last.previous;
  return candle;
}

kalshi::Candlestick CandleImageOf(const Candle& candle, CandlePeriod period) {
  constexpr PriceSpan kNoBid;
  const PriceSpan no_ask = PriceSpan::Of(kalshi::kOneDollar);
  kalshi::Candlestick image = {
      .end_s = kalshi::ToSeconds(candle.begin) + NanosOf(period) / kSecondNanos,
      .bid = BarOf(candle.bid.value_or(kNoBid)),
      .ask = BarOf(candle.ask.value_or(no_ask)),
      .price = {},
      .mean = candle.mean,
      .previous = candle.previous,
      .volume = kalshi::Count::Of(candle.volume),
      .open_interest = kalshi::Count::Of(candle.open_interest)};
  if (candle.trades.has_value()) image.price = BarOf(*candle.trades);
  return image;
}

}  // namespace engine
