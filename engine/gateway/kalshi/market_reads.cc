#include "engine/gateway/kalshi/market_reads.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/gateway/kalshi/candle_image.h"
#include "engine/gateway/kalshi/market_image.h"
#include "engine/gateway/kalshi/paging.h"
#include "engine/types/lifecycle.h"
#include "engine/views/market_stats.h"
#include "engine/views/page.h"
#include "engine/views/trade_tape.h"
#include "engine/wire/kalshi/cursor.h"
#include "engine/wire/kalshi/errors.h"
#include "engine/wire/kalshi/market_objects.h"
#include "engine/wire/kalshi/numbers.h"

namespace engine {
namespace {

using kalshi::Count;
using kalshi::CursorList;
using kalshi::QueryString;
using kalshi::Result;
namespace errors = kalshi::errors;

bool IsIn(const std::vector<std::string>& list, absl::string_view text) {
  return list.empty() || std::ranges::find(list, text) != list.end();
}

kalshi::MarketFilter FilterOf(MarketState state) {
  switch (state) {
    case MarketState::kUnopened:
      return kalshi::MarketFilter::kUnopened;
    case MarketState::kOpen:
      return kalshi::MarketFilter::kOpen;
    case MarketState::kPaused:
      return kalshi::MarketFilter::kPaused;
    case MarketState::kClosed:
    case MarketState::kDetermined:
      return kalshi::MarketFilter::kClosed;
    case MarketState::kSettled:
      return kalshi::MarketFilter::kSettled;
  }
  return kalshi::MarketFilter::kUnopened;
}

bool IsIn(const std::vector<kalshi::MarketFilter>& statuses, MarketState state) {
  return statuses.empty() || std::ranges::find(statuses, FilterOf(state)) != statuses.end();
}

kalshi::Error MarketNotFound() { return {errors::kMarketNotFound, {}}; }

kalshi::FeeType FeeTypeOf(absl::string_view text) {
  using enum kalshi::FeeType;
  for (const kalshi::FeeType type :
       {kQuadraticWithMakerFees, kQuadraticWithComboMakerFees, kFlat}) {
    if (kalshi::ToText(type) == text) return type;
  }
  return kQuadratic;
}

// A series with the memory of what it refers to.
struct SeriesImage {
  explicit SeriesImage(const KalshiSeries& from)
      : tags(from.tags.begin(), from.tags.end()), categories({from.category}) {
    series.ticker = from.ticker;
    series.frequency = from.frequency;
    series.title = from.title;
    series.category = from.category;
    series.categories = categories;
    series.tags = tags;
    series.fee_type = FeeTypeOf(from.fee_type);
    series.fee_multiplier_millionths = int64_t{from.fee_multiplier} * 10'000;
  }
  SeriesImage(const SeriesImage&) = delete;
  SeriesImage& operator=(const SeriesImage&) = delete;

  std::vector<absl::string_view> tags;
  std::vector<absl::string_view> categories;
  kalshi::Series series;
};

}  // namespace

// ---- The exchange.

KalshiReply KalshiMarketReads::Status() const {
  const ExchangeState state = world_.views.exchange_state();
  return ReplyOf(200, kalshi::ExchangeStatus{.exchange_active = state != ExchangeState::kHalted,
                                             .trading_active = state == ExchangeState::kActive,
                                             .estimated_resume_time = {}});
}

// Each market has its own times; the exchange itself is always open.
KalshiReply KalshiMarketReads::Schedule() const {
  static constexpr kalshi::DailyHours kWholeDay[] = {{.open_time = "00:00", .close_time = "00:00"}};
  kalshi::WeeklyHours always = {.start = Timestamp::FromNanos(0), .end = Timestamp::Max()};
  always.days.fill(kWholeDay);
  return ReplyOf(200, kalshi::Schedule{.standard_hours = {&always, 1}, .maintenance_windows = {}});
}

KalshiReply KalshiMarketReads::UserDataTimestamp() const {
  KalshiReply reply;
  kalshi::JsonWriter json(reply.body);
  kalshi::WriteUserDataTimestamp(world_.views.time(), json);
  return reply;
}

// ---- Markets.

bool KalshiMarketReads::Passes(const kalshi::GetMarkets& filter,
                               const KalshiListing& listing) const {
  const KalshiMarket& texts = *listing.texts;
  if (filter.is_mve_only || !IsIn(filter.tickers, listing.definition->symbol) ||
      !IsIn(filter.event_tickers, texts.event)) {
    return false;
  }
  if (!filter.series_ticker.empty() &&
      world_.catalogue.EventOf(texts).series != filter.series_ticker) {
    return false;
  }
  const MarketStats* const stats = world_.views.stats().Find(texts.id);
  if (stats == nullptr || !IsIn(filter.statuses, stats->state)) return false;
  const MarketImage image(listing, world_, world_.views.time());
  const auto passes = [](const kalshi::SecondsRange& range, const std::optional<Timestamp>& time) {
    if (range == kalshi::SecondsRange()) return true;
    return time.has_value() && range.Contains(kalshi::ToSeconds(*time));
  };
  return passes(filter.created, image.market.created_time) &&
         passes(filter.updated, image.market.updated_time) &&
         passes(filter.close, image.market.close_time) &&
         passes(filter.settled, image.market.settlement_time);
}

KalshiReply KalshiMarketReads::Markets(const QueryString& query, Timestamp now) const {
  const Result<kalshi::GetMarkets> filter = kalshi::ParseGetMarkets(query);
  if (!filter.ok()) return ReplyOf(filter.error());
  const std::vector<KalshiMarket>& all = world_.catalogue.markets();
  KalshiReply reply;
  kalshi::ListWriter list(reply.body, "markets");
  const uint32_t listing = ListingOf(world_.ids, AccountId(), query);
  uint64_t next = PageOf(filter->page, listing).from;
  for (int32_t left = filter->page.limit; next < all.size(); ++next) {
    const std::optional<KalshiListing> listing = world_.Find(all[next].id);
    if (!listing.has_value() || !Passes(*filter, *listing)) continue;
    if (left-- == 0) break;
    list.Add(MarketImage(*listing, world_, now).market);
  }
  list.FinishWithCursor(CursorOf(CursorList::kMarkets, listing, next < all.size() ? next : 0));
  return reply;
}

KalshiReply KalshiMarketReads::Market(absl::string_view ticker, Timestamp now) const {
  const std::optional<KalshiListing> listing = world_.FindTicker(ticker);
  if (!listing.has_value()) return ReplyOf(MarketNotFound());
  KalshiReply reply;
  kalshi::AppendObject("market", MarketImage(*listing, world_, now).market, reply.body);
  return reply;
}

KalshiReply KalshiMarketReads::Orderbook(absl::string_view ticker, const QueryString& query) const {
  const Result<kalshi::GetOrderbook> request = kalshi::ParseGetOrderbook(query);
  if (!request.ok()) return ReplyOf(request.error());
  const std::optional<KalshiListing> listing = world_.FindTicker(ticker);
  if (!listing.has_value()) return ReplyOf(MarketNotFound());
  const BookImage image = BookImageOf(listing->definition->id, world_.views.depth());
  KalshiReply reply;
  kalshi::JsonWriter json(reply.body);
  kalshi::WriteOrderbookReply(image.book(), request->depth, json);
  return reply;
}

KalshiReply KalshiMarketReads::Orderbooks(const QueryString& query) const {
  const Result<kalshi::GetOrderbooks> request = kalshi::ParseGetOrderbooks(query);
  if (!request.ok()) return ReplyOf(request.error());
  KalshiReply reply;
  kalshi::ListWriter list(reply.body, "orderbooks");
  for (const std::string& ticker : request->tickers) {
    const std::optional<KalshiListing> listing = world_.FindTicker(ticker);
    if (!listing.has_value()) continue;
    const BookImage image = BookImageOf(listing->definition->id, world_.views.depth());
    kalshi::WriteTickerAndBook(ticker, image.book(), list.json());
  }
  list.Finish();
  return reply;
}

KalshiReply KalshiMarketReads::Trades(const QueryString& query) const {
  const Result<kalshi::GetTrades> request = kalshi::ParseGetTrades(query);
  if (!request.ok()) return ReplyOf(request.error());
  MarketId market;
  if (!request->ticker.empty()) {
    const std::optional<KalshiListing> listing = world_.FindTicker(request->ticker);
    if (!listing.has_value()) return ReplyOf(MarketNotFound());
    market = listing->definition->id;
  }
  const uint32_t listing = ListingOf(world_.ids, AccountId(), query);
  Page<TapeTrade> page;
  if (!request->is_block_trade.value_or(false)) {  // There are no block trades.
    page =
        world_.views.tape().Trades(market, TimesOf(request->time), PageOf(request->page, listing));
  }
  KalshiReply reply;
  kalshi::ListWriter list(reply.body, "trades");
  for (const TapeTrade* const trade : page.rows) {
    const std::optional<KalshiListing> listing = world_.Find(trade->market);
    if (!listing.has_value()) continue;
    const kalshi::PublicId id = world_.ids.OfTrade(trade->sequence, trade->index);
    list.Add(kalshi::Trade{.trade_id = id.text(),
                           .ticker = listing->definition->symbol,
                           .count = Count::Of(trade->quantity),
                           .price = trade->price,
                           .taker_side = trade->taker_side,
                           .time = trade->time});
  }
  list.FinishWithCursor(CursorOf(CursorList::kTrades, listing, page.next));
  return reply;
}

// ---- Events and series.

void KalshiMarketReads::VisitMarketsOf(const KalshiEvent& event,
                                       absl::FunctionRef<bool(const KalshiListing&)> visit) const {
  for (const KalshiMarket& market : world_.catalogue.markets()) {
    if (market.event != event.ticker) continue;
    const std::optional<KalshiListing> listing = world_.Find(market.id);
    if (listing.has_value() && !visit(*listing)) return;
  }
}

bool KalshiMarketReads::Passes(const kalshi::GetEvents& filter, const KalshiEvent& event) const {
  if (!IsIn(filter.tickers, event.ticker)) return false;
  if (!filter.series_ticker.empty() && event.series != filter.series_ticker) return false;
  if (filter.statuses.empty() && filter.min_close_s == INT64_MIN) return true;
  bool passes = false;
  VisitMarketsOf(event, [&](const KalshiListing& listing) {
    const MarketImage image(listing, world_, world_.views.time());
    const MarketStats* const stats = world_.views.stats().Find(listing.definition->id);
    passes = stats != nullptr && IsIn(filter.statuses, stats->state) &&
             kalshi::ToSeconds(image.market.close_time) >= filter.min_close_s;
    return !passes;
  });
  return passes;
}

void KalshiMarketReads::AddEvent(const KalshiEvent& event, bool with_markets, Timestamp now,
                                 kalshi::JsonWriter& json) const {
  kalshi::Event image = EventImageOf(event, world_);
  std::vector<std::unique_ptr<const MarketImage>> images;
  std::vector<kalshi::Market> markets;
  if (with_markets) {
    VisitMarketsOf(event, [&](const KalshiListing& listing) {
      images.push_back(std::make_unique<const MarketImage>(listing, world_, now));
      markets.push_back(images.back()->market);
      return true;
    });
    image.has_markets = true;
    image.markets = markets;
  }
  Write(image, json);
}

KalshiReply KalshiMarketReads::Events(const QueryString& query, Timestamp now) const {
  const Result<kalshi::GetEvents> filter = kalshi::ParseGetEvents(query);
  if (!filter.ok()) return ReplyOf(filter.error());
  const std::vector<KalshiEvent>& all = world_.catalogue.events();
  KalshiReply reply;
  kalshi::ListWriter list(reply.body, "events");
  const uint32_t listing = ListingOf(world_.ids, AccountId(), query);
  uint64_t next = PageOf(filter->page, listing).from;
  for (int32_t left = filter->page.limit; next < all.size(); ++next) {
    if (!Passes(*filter, all[next])) continue;
    if (left-- == 0) break;
    AddEvent(all[next], filter->with_nested_markets, now, list.json());
  }
  list.FinishWithCursor(CursorOf(CursorList::kEvents, listing, next < all.size() ? next : 0));
  return reply;
}

KalshiReply KalshiMarketReads::Event(absl::string_view ticker, const QueryString& query,
                                     Timestamp now) const {
  const Result<kalshi::GetEvent> request = kalshi::ParseGetEvent(query);
  if (!request.ok()) return ReplyOf(request.error());
  const KalshiEvent* const event = world_.catalogue.FindEvent(ticker);
  if (event == nullptr) return ReplyOf(kalshi::Error{errors::kResourceNotFound, {}});
  KalshiReply reply;
  kalshi::JsonWriter json(reply.body);
  json.BeginObject().Key("event");
  AddEvent(*event, request->with_nested_markets, now, json);
  json.BeginArray("markets");
  if (!request->with_nested_markets) {
    VisitMarketsOf(*event, [&](const KalshiListing& listing) {
      Write(MarketImage(listing, world_, now).market, json);
      return true;
    });
  }
  json.EndArray().EndObject();
  return reply;
}

KalshiReply KalshiMarketReads::SeriesList(const QueryString& query) const {
  const Result<kalshi::GetSeriesList> filter = kalshi::ParseGetSeriesList(query);
  if (!filter.ok()) return ReplyOf(filter.error());
  KalshiReply reply;
  kalshi::ListWriter list(reply.body, "series");
  for (const KalshiSeries& series : world_.catalogue.series()) {
    if (!filter->category.empty() && series.category != filter->category) continue;
    const auto is_wanted = [&](const std::string& tag) { return IsIn(filter->tags, tag); };
    if (!filter->tags.empty() && std::ranges::none_of(series.tags, is_wanted)) continue;
    list.Add(SeriesImage(series).series);
  }
  list.Finish();
  return reply;
}

KalshiReply KalshiMarketReads::Series(absl::string_view ticker) const {
  const KalshiSeries* const series = world_.catalogue.FindSeries(ticker);
  if (series == nullptr) return ReplyOf(kalshi::Error{errors::kResourceNotFound, {}});
  KalshiReply reply;
  kalshi::AppendObject("series", SeriesImage(*series).series, reply.body);
  return reply;
}

KalshiReply KalshiMarketReads::SeriesFeeChanges(const QueryString& query) const {
  const Result<kalshi::GetFeeChanges> request = kalshi::ParseGetFeeChanges(query);
  if (!request.ok()) return ReplyOf(request.error());
  KalshiReply reply;
  kalshi::ListWriter(reply.body, "series_fee_change_arr").Finish();
  return reply;
}

KalshiReply KalshiMarketReads::EventFeeChanges(const QueryString& query) const {
  const Result<kalshi::GetFeeChanges> request = kalshi::ParseGetFeeChanges(query);
  if (!request.ok()) return ReplyOf(request.error());
  KalshiReply reply;
  kalshi::ListWriter(reply.body, "event_fee_changes").FinishWithCursor("");
  return reply;
}

}  // namespace engine
