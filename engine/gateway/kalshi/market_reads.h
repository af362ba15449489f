// What anyone may read: the exchange's state, markets, books, trades, candles, events, series.

#ifndef ENGINE_GATEWAY_KALSHI_MARKET_READS_H_
#define ENGINE_GATEWAY_KALSHI_MARKET_READS_H_

#include <cstddef>
#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/kalshi/reply.h"
#include "engine/gateway/kalshi/world.h"
#include "engine/wire/kalshi/exchange_objects.h"
#include "engine/wire/kalshi/queries.h"
#include "engine/wire/kalshi/query_string.h"

namespace engine {

// Not thread-safe: owned by the gateway. The world outlives it. Answers are as of the last released
// record; `now` is not before it.
class KalshiMarketReads {
 public:
  explicit KalshiMarketReads(const KalshiWorld& world) : world_(world) {}

  KalshiReply Status() const;
  KalshiReply Schedule() const;
  KalshiReply UserDataTimestamp() const;

  KalshiReply Markets(const kalshi::QueryString& query, Timestamp now) const;
  KalshiReply Market(absl::string_view ticker, Timestamp now) const;
  KalshiReply Orderbook(absl::string_view ticker, const kalshi::QueryString& query) const;
  KalshiReply Orderbooks(const kalshi::QueryString& query) const;
  KalshiReply Trades(const kalshi::QueryString& query) const;
  KalshiReply Candlesticks(absl::string_view series, absl::string_view ticker,
                           const kalshi::QueryString& query) const;
  KalshiReply BatchCandlesticks(const kalshi::QueryString& query) const;

  KalshiReply Events(const kalshi::QueryString& query, Timestamp now) const;
  KalshiReply Event(absl::string_view ticker, const kalshi::QueryString& query,
                    Timestamp now) const;
  KalshiReply SeriesList(const kalshi::QueryString& query) const;
  KalshiReply Series(absl::string_view ticker) const;
  // Fees of a served market never change, so that both lists are empty.
  KalshiReply SeriesFeeChanges(const kalshi::QueryString& query) const;
  KalshiReply EventFeeChanges(const kalshi::QueryString& query) const;

 private:
  bool Passes(const kalshi::GetMarkets& filter, const KalshiListing& listing) const;
  // Visits the markets of an event, until `visit` returns false.
  void VisitMarketsOf(const KalshiEvent& event,
                      absl::FunctionRef<bool(const KalshiListing&)> visit) const;
  bool Passes(const kalshi::GetEvents& filter, const KalshiEvent& event) const;
  // The event with its markets, if they are wanted within it.
  void AddEvent(const KalshiEvent& event, bool with_markets, Timestamp now,
                kalshi::JsonWriter& json) const;
  // At most `left`, which it lessens.
  void AddCandles(MarketId market, const kalshi::GetCandlesticks& times, size_t& left,
                  kalshi::JsonWriter& json) const;

  const KalshiWorld& world_;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_KALSHI_MARKET_READS_H_
