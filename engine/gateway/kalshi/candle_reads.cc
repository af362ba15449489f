// Candlesticks of markets: a bounded number in an answer, since anyone may ask.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/gateway/kalshi/candle_image.h"
#include "engine/gateway/kalshi/market_reads.h"
#include "engine/gateway/kalshi/paging.h"
#include "engine/views/candles.h"
#include "engine/views/page.h"
#include "engine/wire/kalshi/errors.h"
#include "engine/wire/kalshi/market_objects.h"
#include "engine/wire/kalshi/numbers.h"

namespace engine {
namespace {

using kalshi::QueryString;
using kalshi::Result;
namespace errors = kalshi::errors;

constexpr size_t kCandlesOfMarket = 5'000;
constexpr size_t kCandlesOfAnswer = 10'000;

kalshi::Error MarketNotFound() { return {errors::kMarketNotFound, {}}; }

}  // namespace

void KalshiMarketReads::AddCandles(MarketId market, const kalshi::GetCandlesticks& times,
                                   size_t& left, kalshi::JsonWriter& json) const {
  if (left == 0) return;
  const CandlePeriod period = PeriodOf(times.period_minutes);
  const TimeRange range = TimesOf({.min = times.start_s, .max = times.end_s});
  const CandleView& view = world_.views.candles();
  const std::vector<Candle> candles =
      view.Candles(market, period, range, std::min(left, kCandlesOfMarket));
  left -= candles.size();
  const Timestamp begin = BeginOf(period, range.since);
  if (times.include_latest_before_start && (candles.empty() || candles.front().begin != begin)) {
    const std::optional<Candle> last = view.LastBefore(market, range.since);
    if (last.has_value()) Write(CandleImageOf(CarryOver(*last, begin), period), json);
  }
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
