#include "engine/views/candles.h"

#include <algorithm>
#include <utility>

#include "engine/base/check.h"
#include "engine/messages/kinds.h"

namespace engine {
namespace {

constexpr int64_t kMinuteNanos = int64_t{60} * 1'000'000'000;

int64_t FloorTo(int64_t value, int64_t step) {
  const int64_t rest = value % step;
  return value - (rest < 0 ? rest + step : rest);
}

int64_t MinuteOf(Timestamp time) { return FloorTo(time.nanos(), kMinuteNanos) / kMinuteNanos; }

}  // namespace

void PriceSpan::Add(Price price) {
  high = std::max(high, price);
  low = std::min(low, price);
  close = price;
}

void PriceSpan::Add(const PriceSpan& later) {
  high = std::max(high, later.high);
  low = std::min(low, later.low);
  close = later.close;
}

Price RoundedMean(__int128 value, Quantity volume) {
  const auto parts = static_cast<__int128>(volume.units());
  const __int128 half = value < 0 ? -(parts / 2) : parts / 2;
  return Price::FromUnits(static_cast<int64_t>((value + half) / parts));
}

int64_t NanosOf(CandlePeriod period) {
  switch (period) {
    case CandlePeriod::kMinute:
      return kMinuteNanos;
    case CandlePeriod::kHour:
      return 60 * kMinuteNanos;
    case CandlePeriod::kDay:
      break;
  }
  return 24 * 60 * kMinuteNanos;
}

Timestamp BeginOf(CandlePeriod period, Timestamp time) {
  return Timestamp::FromNanos(FloorTo(time.nanos(), NanosOf(period)));
}

CandleView::CandleView(size_t candles_max) : candles_(candles_max) {
  CHECK(candles_max >= kCandlesMin)
      << "expected at least " << kCandlesMin << " candle, found " << candles_max;
}

CandleView::Market& CandleView::MarketOf(MarketId market) {
  uint32_t place = places_.Find(market.value());
  if (place == IdTable::kNone) {
    place = static_cast<uint32_t>(markets_.size());
    markets_.emplace_back();
    places_.Set(market.value(), place);
  }
  return markets_[place];
}

// The candle begins with what was true at the end of the one before.
CandleView::Minute& CandleView::MinuteAt(MarketId id, Timestamp time) {
  Market& market = MarketOf(id);
  const int64_t number = MinuteOf(time);
  Minute* const newest = candles_.Find(market.newest);
  if (newest != nullptr && newest->number == number && newest->market == id) return *newest;
  Minute minute;
  minute.number = number;
  minute.market = id;
  minute.open_interest = market.quotes.open_interest;
  minute.has_previous = market.last_price.has_value();
  minute.previous = market.last_price.value_or(Price());
  AddQuotes(market.quotes, minute);
  candles_.Add(minute, market.newest);
  const int64_t first = number - kAgeMaxNanos / kMinuteNanos;
  while (candles_.Find(candles_.first())->number < first) candles_.ForgetFirst();
  return *candles_.Find(market.newest);
}

void CandleView::AddQuotes(const Quotes& quotes, Minute& minute) {
  const auto add = [](const std::optional<Price>& price, bool& has, PriceSpan& span) {
    if (!price.has_value()) return;
    if (std::exchange(has, true)) {
      span.Add(*price);
    } else {
      span = PriceSpan::Of(*price);
    }
  };
  add(quotes.bid, minute.has_bid, minute.bid);
  add(quotes.ask, minute.has_ask, minute.ask);
  minute.bid_is_empty = !quotes.bid.has_value();
  minute.ask_is_empty = !quotes.ask.has_value();
  minute.open_interest = quotes.open_interest;
}

void CandleView::OnEvents(const Command& command, std::span<const Event> events) {
  for (const Event& event : events) {
    if (event.kind != EventKind::kTrade) continue;
    Minute& minute = MinuteAt(event.market, command.timestamp);
    if (std::exchange(minute.has_trades, true)) {
      minute.trades.Add(event.price);
    } else {
      minute.trades = PriceSpan::Of(event.price);
    }
    minute.volume += event.quantity;
    minute.value += static_cast<__int128>(event.quantity.units()) * event.price.units();
    MarketOf(event.market).last_price = event.price;
  }
}

void CandleView::OnQuotes(MarketId id, Timestamp time, const Quotes& quotes) {
  Market& market = MarketOf(id);
  if (market.quotes == quotes) return;
  // The minute begins with the quotes from before.
  Minute& minute = MinuteAt(id, time);
  market.quotes = quotes;
  AddQuotes(quotes, minute);
}

Candle CandleView::CandleOf(const Minute& minute) {
  Candle candle;
  candle.begin = Timestamp::FromNanos(minute.number * kMinuteNanos);
  candle.market = minute.market;
  if (minute.has_trades) {
    candle.trades = minute.trades;
    candle.mean = RoundedMean(minute.value, minute.volume);
  }
  if (minute.has_bid) candle.bid = minute.bid;
  if (minute.has_ask) candle.ask = minute.ask;
  candle.bid_is_empty = minute.bid_is_empty;
  candle.ask_is_empty = minute.ask_is_empty;
  candle.volume = minute.volume;
  candle.open_interest = minute.open_interest;
  if (minute.has_previous) candle.previous = minute.previous;
  return candle;
}

void CandleView::Join(const Minute& later, Minute& minute) {
  const auto join = [](bool has_later, const PriceSpan& from, bool& has, PriceSpan& span) {
    if (!has_later) return;
    if (std::exchange(has, true)) {
      span.Add(from);
    } else {
      span = from;
    }
  };
  join(later.has_trades, later.trades, minute.has_trades, minute.trades);
  join(later.has_bid, later.bid, minute.has_bid, minute.bid);
  join(later.has_ask, later.ask, minute.has_ask, minute.ask);
  minute.bid_is_empty = later.bid_is_empty;
  minute.ask_is_empty = later.ask_is_empty;
  minute.volume += later.volume;
  minute.value += later.value;
  minute.open_interest = later.open_interest;
}

std::vector<Candle> CandleView::Candles(MarketId id, CandlePeriod period, const TimeRange& range,
                                        size_t limit) const {
  std::vector<const Minute*> minutes;  // The latest first.
  const uint32_t place = places_.Find(id.value());
  if (place == IdTable::kNone) return {};
  for (uint64_t at = markets_[place].newest; candles_.Find(at) != nullptr;
       at = candles_.OlderOf(at)) {
    const Minute& minute = *candles_.Find(at);
    const Timestamp begin = BeginOf(period, Timestamp::FromNanos(minute.number * kMinuteNanos));
    if (begin < range.since) break;
    if (range.Contains(begin)) minutes.push_back(&minute);
  }
  std::vector<Candle> candles;
  for (size_t i = minutes.size(); i > 0;) {
    Minute joined = *minutes[--i];
    const Timestamp begin = BeginOf(period, Timestamp::FromNanos(joined.number * kMinuteNanos));
    const int64_t end = begin.nanos() + NanosOf(period);
    while (i > 0 && minutes[i - 1]->number * kMinuteNanos < end) Join(*minutes[--i], joined);
    candles.push_back(CandleOf(joined));
    candles.back().begin = begin;
  }
  if (candles.size() > limit) {
    candles.erase(candles.begin(), candles.end() - static_cast<std::ptrdiff_t>(limit));
  }
  return candles;
}

std::optional<Candle> CandleView::LastBefore(MarketId id, Timestamp time) const {
  const uint32_t place = places_.Find(id.value());
  if (place == IdTable::kNone) return std::nullopt;
  for (uint64_t at = markets_[place].newest; candles_.Find(at) != nullptr;
       at = candles_.OlderOf(at)) {
    const Minute& minute = *candles_.Find(at);
    if ((minute.number + 1) * kMinuteNanos <= time.nanos()) return CandleOf(minute);
  }
  return std::nullopt;
}

}  // namespace engine
