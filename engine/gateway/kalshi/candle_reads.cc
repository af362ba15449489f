// Candlesticks of markets: a bounded number in an answer, since anyone may ask.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/gateway/kalshi/market_reads.h"
#include "engine/gateway/kalshi/paging.h"
#include "engine/views/candles.h"
#include "engine/views/page.h"
#include "engine/wire/kalshi/errors.h"
#include "engine/wire/kalshi/market_objects.h"
#include "engine/wire/kalshi/numbers.h"

namespace engine {
namespace {

using kalshi::Count;
using kalshi::QueryString;
using kalshi::Result;
namespace errors = kalshi::errors;

constexpr int64_t kSecondNanos = 1'000'000'000;
constexpr size_t kCandlesOfMarket = 5'000;
constexpr size_t kCandlesOfAnswer = 10'000;

kalshi::Error MarketNotFound() { return {errors::kMarketNotFound, {}}; }

kalshi::Bar BarOf(const PriceSpan& span) {
  return {.open = span.open, .low = span.low, .high = span.high, .close = span.close};
}

CandlePeriod PeriodOf(int32_t minutes) {
  if (minutes == 1) return CandlePeriod::kMinute;
  return minutes == 60 ? CandlePeriod::kHour : CandlePeriod::kDay;
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
      .volume = Count::Of(candle.volume),
      .open_interest = Count::Of(candle.open_interest)};
  if (candle.trades.has_value()) image.price = BarOf(*candle.trades);
  return image;
}

}  // namespace

void KalshiMarketReads::AddCandles(MarketId market, const kalshi::GetCandlesticks& times,
                                   size_t& left, kalshi::JsonWriter& json) const {
  if (left == 0) return;
  const CandlePeriod period = PeriodOf(times.period_minutes);
  const TimeRange range = TimesOf({.min = times.start_s, .max = times.end_s});
  const std::vector<Candle> candles =
      world_.views.candles().Candles(market, period, range, std::min(left, kCandlesOfMarket));
  left -= candles.size();
  for (const Candle& candle : candles) Write(CandleImageOf(candle, period), json);
}

KalshiReply KalshiMarketReads::Candlesticks(absl::string_view series, absl::string_view ticker,
                                            const QueryString& query) const {
  const Result<kalshi::GetCandlesticks> request = kalshi::ParseGetCandlesticks(query);
  if (!request.ok()) return ReplyOf(request.error());
  const std::optional<KalshiListing> listing = world_.FindTicker(ticker);
  if (!listing.has_value() || world_.catalogue.EventOf(*listing->texts).series != series) {
    return ReplyOf(MarketNotFound());
  }
  KalshiReply reply;
  kalshi::JsonWriter json(reply.body);
  json.BeginObject().Text("ticker", ticker).BeginArray("candlesticks");
  size_t left = kCandlesOfAnswer;
  AddCandles(listing->definition->id, *request, left, json);
  json.EndArray().EndObject();
  return reply;
}

KalshiReply KalshiMarketReads::BatchCandlesticks(const QueryString& query) const {
  const Result<kalshi::GetBatchCandlesticks> request = kalshi::ParseGetBatchCandlesticks(query);
  if (!request.ok()) return ReplyOf(request.error());
  KalshiReply reply;
  kalshi::ListWriter list(reply.body, "markets");
  size_t left = kCandlesOfAnswer;
  for (const std::string& ticker : request->tickers) {
    const std::optional<KalshiListing> listing = world_.FindTicker(ticker);
    if (!listing.has_value()) continue;
    list.json().BeginObject().Text("market_ticker", ticker).BeginArray("candlesticks");
    AddCandles(listing->definition->id, request->times, left, list.json());
    list.json().EndArray().EndObject();
  }
  list.Finish();
  return reply;
}

}  // namespace engine
