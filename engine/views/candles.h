// Prices, volumes and best quotes of markets, minute by minute.
//
//   minute   price  open high low close mean    bid, ask  open high low close    volume
//   09:30    0.52   0.55  0.52  0.54  0.53      ...                              12.00
//   09:31    nothing happened: no candle
//   09:32    ...
//
// Candles of an hour and a day are made from those of minutes, in UTC. A minute has a candle if a
// trade or a change of the best prices or of the open interest was in it. Candles older than 30
// days, and those beyond `candles_max` of all markets together, are forgotten, the oldest first. A
// candle takes some 200 bytes.

#ifndef ENGINE_VIEWS_CANDLES_H_
#define ENGINE_VIEWS_CANDLES_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/id_table.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/views/chained_history.h"
#include "engine/views/page.h"

namespace engine {

// The first, highest, lowest and last of some prices.
struct PriceSpan {
  Price open;
  Price high;
  Price low;
  Price close;

  static PriceSpan Of(Price price) { return {price, price, price, price}; }
  void Add(Price price);
  void Add(const PriceSpan& later);

  friend bool operator==(const PriceSpan&, const PriceSpan&) = default;
};

struct Candle {
  Timestamp begin;  // It ends a period later.
  MarketId market;
  std::optional<PriceSpan> trades;  // Empty without trades; likewise the next.
  std::optional<Price> mean;        // Weighted by quantity; see RoundedMean.
  std::optional<PriceSpan> bid;     // The best prices. Empty if the side was empty throughout.
  std::optional<PriceSpan> ask;     //
  bool bid_is_empty = false;        // At its end.
  bool ask_is_empty = false;        //
  Quantity volume;
  Quantity open_interest;         // At its end.
  std::optional<Price> previous;  // The last trade's price before it.
  friend bool operator==(const Candle&, const Candle&) = default;
};

// `value` / `volume`, rounded to the nearest; a half away from zero, below zero as above it.
// REQUIRES: `volume` is not zero, and the quotient fits.
Price RoundedMean(__int128 value, Quantity volume);

enum class CandlePeriod : uint8_t { kMinute, kHour, kDay };
Timestamp BeginOf(CandlePeriod period, Timestamp time);
int64_t NanosOf(CandlePeriod period);

// Not thread-safe: owned by the reader of the log.
class CandleView final : public EventListener {
 public:
  static constexpr size_t kCandlesMin = 1;
  static constexpr size_t kCandlesMax = 1'000'000;
  static constexpr int64_t kAgeMaxNanos = int64_t{30} * 24 * 3600 * 1'000'000'000;

  // REQUIRES: at least kCandlesMin: the candle that a trade is added to is kept.
  explicit CandleView(size_t candles_max = kCandlesMax);

  // A command's events may come part after part.
  void OnEvents(const Command& command, std::span<const Event> events) override;

  // The best prices and the open interest of a market after a command; at least after each that
  // changed them.
  struct Quotes {
    std::optional<Price> bid;
    std::optional<Price> ask;
    Quantity open_interest;

    friend bool operator==(const Quotes&, const Quotes&) = default;
  };
  void OnQuotes(MarketId market, Timestamp time, const Quotes& quotes);

  // The candles that begin within `range`, the earliest first: at most the last `limit` of them.
  std::vector<Candle> Candles(MarketId market, CandlePeriod period, const TimeRange& range,
                              size_t limit) const;

  // The last candle of a minute that ended at or before `time`; nullopt if there is none.
  std::optional<Candle> LastBefore(MarketId market, Timestamp time) const;

 private:
  // The candle of a minute; optional values are flags.
  struct Minute {
    int64_t number = 0;  // Since 1970.
    MarketId market;
    bool has_trades = false;
    bool has_bid = false;
    bool has_ask = false;
    bool bid_is_empty = false;
    bool ask_is_empty = false;
    bool has_previous = false;
    PriceSpan trades;
    PriceSpan bid;
    PriceSpan ask;
    Price previous;
    Quantity volume;
    Quantity open_interest;
    __int128 value = 0;  // The sum of quantity × price.
  };
  struct Market {
    uint64_t newest = 0;  // The number of its newest candle.
    Quotes quotes;
    std::optional<Price> last_price;
  };

  Market& MarketOf(MarketId market);
  Minute& MinuteAt(MarketId market, Timestamp time);
  static void AddQuotes(const Quotes& quotes, Minute& minute);
  // `later` becomes a part of the candle that `minute` begins.
  static void Join(const Minute& later, Minute& minute);
  static Candle CandleOf(const Minute& minute);

  ChainedHistory<Minute> candles_;
  IdTable places_;
  std::deque<Market> markets_;
};

}  // namespace engine

#endif  // ENGINE_VIEWS_CANDLES_H_
