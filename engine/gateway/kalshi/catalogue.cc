#include "engine/gateway/kalshi/catalogue.h"

#include <utility>

#include "engine/base/check.h"

namespace engine {

KalshiCatalogue::KalshiCatalogue(std::vector<KalshiSeries> series, std::vector<KalshiEvent> events,
                                 std::vector<KalshiMarket> markets)
    : series_(std::move(series)), events_(std::move(events)), markets_(std::move(markets)) {
  for (size_t i = 0; i < series_.size(); ++i) {
    CHECK(series_by_ticker_.emplace(series_[i].ticker, i).second) << series_[i].ticker;
  }
  for (size_t i = 0; i < events_.size(); ++i) {
    CHECK(events_by_ticker_.emplace(events_[i].ticker, i).second) << events_[i].ticker;
    CHECK(FindSeries(events_[i].series) != nullptr) << events_[i].series;
  }
  for (size_t i = 0; i < markets_.size(); ++i) {
    CHECK(markets_by_id_.emplace(markets_[i].id, i).second) << markets_[i].id;
    CHECK(FindEvent(markets_[i].event) != nullptr) << markets_[i].event;
  }
}

const KalshiSeries* KalshiCatalogue::FindSeries(absl::string_view ticker) const {
  const auto found = series_by_ticker_.find(ticker);
  return found == series_by_ticker_.end() ? nullptr : &series_[found->second];
}

const KalshiEvent* KalshiCatalogue::FindEvent(absl::string_view ticker) const {
  const auto found = events_by_ticker_.find(ticker);
  return found == events_by_ticker_.end() ? nullptr : &events_[found->second];
}

const KalshiMarket* KalshiCatalogue::FindMarket(MarketId id) const {
  const auto found = markets_by_id_.find(id);
  return found == markets_by_id_.end() ? nullptr : &markets_[found->second];
}

const KalshiEvent& KalshiCatalogue::EventOf(const KalshiMarket& market) const {
  return *FindEvent(market.event);
}

const KalshiSeries& KalshiCatalogue::SeriesOf(const KalshiEvent& event) const {
  return *FindSeries(event.series);
}

}  // namespace engine
