#include "engine/gateway/kalshi/market_image.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "engine/types/lifecycle.h"
#include "engine/types/price.h"
#include "engine/views/candles.h"
#include "engine/views/depth_view.h"
#include "engine/views/market_stats.h"
#include "engine/wire/kalshi/numbers.h"

namespace engine {
namespace {

using kalshi::Count;

constexpr int64_t kSecondNanos = 1'000'000'000;
constexpr int64_t kDayNanos = 24 * 3600 * kSecondNanos;

std::vector<kalshi::Level> LevelsOf(MarketId market, Side side, const DepthView& depth) {
  std::vector<kalshi::Level> levels;
  depth.VisitLevels(market, side, [&](Price price, const DepthView::Level& level) {
    levels.push_back({.price = price, .count = Count::Of(level.quantity)});
    return true;
  });
  return levels;
}

// The parts of the grid, from nothing to a dollar.
std::vector<kalshi::PriceRange> RangesOf(const MarketDefinition& definition) {
  if (definition.bands.empty()) {
    return {{.start = Price(), .end = kalshi::kOneDollar, .step = definition.tick}};
  }
  std::vector<kalshi::PriceRange> ranges;
  for (const TickBand& band : definition.bands) {
    if (!ranges.empty()) ranges.back().end = band.from;
    ranges.push_back({.start = ranges.empty() ? Price() : band.from,
                      .end = kalshi::kOneDollar,
                      .step = band.tick});
  }
  return ranges;
}

void SetTexts(const KalshiMarket& texts, kalshi::Market& market) {
  market.event_ticker = texts.event;
  market.title = texts.title;
  market.yes_sub_title = texts.yes_sub_title;
  market.no_sub_title = texts.no_sub_title;
  market.rules_primary = texts.rules_primary;
  market.rules_secondary = texts.rules_secondary;
  market.price_level_structure = texts.price_level_structure;
}

void SetTimes(const KalshiMarket& texts, const MarketStats& stats, kalshi::Market& market) {
  const auto happened = [](Timestamp time) { return time != Timestamp(); };
  market.created_time = stats.defined_at;
  market.updated_time = std::max(stats.changed_at, stats.defined_at);
  market.open_time =
      happened(stats.opened_at) ? stats.opened_at : texts.opens_at.value_or(stats.defined_at);
  market.close_time = happened(stats.closed_at)
                          ? stats.closed_at
                          : texts.closes_at.value_or(Timestamp::FromNanos(kDayNanos * 365 * 100));
  market.latest_expiration_time = texts.settles_at.value_or(market.close_time);
  market.expected_expiration_time = market.latest_expiration_time;
  market.expiration_time = market.latest_expiration_time;
  if (texts.determines_at.has_value() && texts.settles_at.has_value()) {
    const int64_t nanos = texts.settles_at->nanos() - texts.determines_at->nanos();
    market.settlement_timer_seconds = std::max(nanos, int64_t{0}) / kSecondNanos;
  }
  if (happened(stats.settled_at)) market.settlement_time = stats.settled_at;
}

void SetQuotes(MarketId id, const DepthView& depth, kalshi::Market& market) {
  if (const std::optional<Price> bid = depth.BestPrice(id, Side::kBid); bid.has_value()) {
    market.bid = *bid;
    market.bid_size = Count::Of(depth.FindLevel(id, Side::kBid, *bid)->quantity);
  }
  if (const std::optional<Price> ask = depth.BestPrice(id, Side::kAsk); ask.has_value()) {
    market.ask = *ask;
    market.ask_size = Count::Of(depth.FindLevel(id, Side::kAsk, *ask)->quantity);
  }
}

void SetYesterday(MarketId id, const KalshiViews& views, Timestamp now, kalshi::Market& market) {
  const MarketDay day = views.stats().DayOf(id, now);
  market.volume_24h = Count::Of(day.volume);
  market.previous_price = day.previous_price.value_or(Price());
  const std::optional<Candle> candle =
      views.candles().LastBefore(id, Timestamp::FromNanos(now.nanos() - kDayNanos));
  if (!candle.has_value()) return;
  if (candle->bid.has_value() && !candle->bid_is_empty) market.previous_bid = candle->bid->close;
  if (candle->ask.has_value() && !candle->ask_is_empty) market.previous_ask = candle->ask->close;
}

}  // namespace

BookImage BookImageOf(MarketId market, const DepthView& depth) {
  return {.bids = LevelsOf(market, Side::kBid, depth), .asks = LevelsOf(market, Side::kAsk, depth)};
}

kalshi::MarketStatus StatusOf(MarketState state) {
  switch (state) {
    case MarketState::kUnopened:
      return kalshi::MarketStatus::kInitialized;
    case MarketState::kOpen:
      return kalshi::MarketStatus::kActive;
    case MarketState::kPaused:
      return kalshi::MarketStatus::kInactive;
    case MarketState::kClosed:
      return kalshi::MarketStatus::kClosed;
    case MarketState::kDetermined:
      return kalshi::MarketStatus::kDetermined;
    case MarketState::kSettled:
      return kalshi::MarketStatus::kFinalized;
  }
  return kalshi::MarketStatus::kInitialized;
}

kalshi::MarketResult ResultOf(const std::optional<Price>& settlement_value) {
  if (!settlement_value.has_value()) return kalshi::MarketResult::kNone;
  if (*settlement_value == kalshi::kOneDollar) return kalshi::MarketResult::kYes;
  return *settlement_value == Price() ? kalshi::MarketResult::kNo : kalshi::MarketResult::kScalar;
}

MarketImage::MarketImage(const KalshiListing& listing, const KalshiWorld& world, Timestamp now)
    : ranges(RangesOf(*listing.definition)) {
  const MarketId id = listing.definition->id;
  market.ticker = listing.definition->symbol;
  market.price_ranges = ranges;
  SetTexts(*listing.texts, market);
  SetQuotes(id, world.views.depth(), market);
  const MarketStats* const stats = world.views.stats().Find(id);
  if (stats == nullptr) return;  // Its definition is not released yet.
  SetTimes(*listing.texts, *stats, market);
  SetYesterday(id, world.views, now, market);
  market.status = StatusOf(stats->state);
  market.last_price = stats->last_price;
  market.volume = Count::Of(stats->volume);
  market.open_interest = Count::Of(stats->open_interest);
  market.settlement_value = stats->settlement_value;
  market.result = ResultOf(stats->settlement_value);
  market.is_scalar = market.result == kalshi::MarketResult::kScalar;
}

kalshi::Event EventImageOf(const KalshiEvent& event, const KalshiWorld& world) {
  kalshi::Event image;
  image.event_ticker = event.ticker;
  image.series_ticker = event.series;
  image.title = event.title;
  image.sub_title = event.sub_title;
  image.mutually_exclusive = event.is_mutually_exclusive;
  image.category = world.catalogue.SeriesOf(event).category;
  return image;
}

}  // namespace engine
