// A candle of a market, as Kalshi's API shows it.

#ifndef ENGINE_GATEWAY_KALSHI_CANDLE_IMAGE_H_
#define ENGINE_GATEWAY_KALSHI_CANDLE_IMAGE_H_

#include <cstdint>

#include "engine/base/timestamp.h"
#include "engine/views/candles.h"
#include "engine/wire/kalshi/market_objects.h"

namespace engine {

// REQUIRES: `minutes` is 1, 60 or 1440.
CandlePeriod PeriodOf(int32_t minutes);

// A candle without trades that begins at `begin`, after the `last` one: the quotes, the open
// interest and the last trade's price are those at the end of `last`.
Candle CarryOver(const Candle& last, Timestamp begin);

kalshi::Candlestick CandleImageOf(const Candle& candle, CandlePeriod period);

}  // namespace engine

#endif  // ENGINE_GATEWAY_KALSHI_CANDLE_IMAGE_H_
