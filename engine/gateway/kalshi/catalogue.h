// What a venue says about its binary markets beside what the exchange knows: series, events,
// titles.
//
//   series KXRAIN ─► event KXRAIN-26DEC31 ─► markets KXRAIN-26DEC31-NYC, KXRAIN-26DEC31-BOS, ...

#ifndef ENGINE_GATEWAY_KALSHI_CATALOGUE_H_
#define ENGINE_GATEWAY_KALSHI_CATALOGUE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"

namespace engine {

struct KalshiSeries {
  std::string ticker;
  std::string title;
  std::string category;
  std::string frequency;
  std::string fee_type;           // "quadratic" and the like.
  uint32_t fee_multiplier = 100;  // In 10^-2.
  std::vector<std::string> tags;
};

struct KalshiEvent {
  std::string ticker;
  std::string series;  // Its ticker.
  std::string title;
  std::string sub_title;
  bool is_mutually_exclusive = false;
};

// Its ticker is the market's symbol.
struct KalshiMarket {
  MarketId id;
  std::string event;  // Its ticker.
  std::string title;
  std::string yes_sub_title;
  std::string no_sub_title;
  std::string rules_primary;
  std::string rules_secondary;
  std::string price_level_structure;  // "linear_cent" and the like.
  // As the venue's schedule says; empty if it says nothing.
  std::optional<Timestamp> opens_at;
  std::optional<Timestamp> closes_at;
  std::optional<Timestamp> determines_at;
  std::optional<Timestamp> settles_at;
};

// Not thread-safe; unchanged while it is used. Tickers and ids are unique, all references resolve.
class KalshiCatalogue {
 public:
  KalshiCatalogue() = default;
  // REQUIRES: as above.
  KalshiCatalogue(std::vector<KalshiSeries> series, std::vector<KalshiEvent> events,
                  std::vector<KalshiMarket> markets);
  KalshiCatalogue(const KalshiCatalogue&) = delete;  // The tables refer to its values.
  KalshiCatalogue& operator=(const KalshiCatalogue&) = delete;

  // Null if there is none.
  const KalshiSeries* FindSeries(absl::string_view ticker) const;
  const KalshiEvent* FindEvent(absl::string_view ticker) const;
  const KalshiMarket* FindMarket(MarketId id) const;
  // The event of a market, the series of an event. REQUIRES: they are of this catalogue.
  const KalshiEvent& EventOf(const KalshiMarket& market) const;
  const KalshiSeries& SeriesOf(const KalshiEvent& event) const;

  const std::vector<KalshiSeries>& series() const { return series_; }
  const std::vector<KalshiEvent>& events() const { return events_; }
  const std::vector<KalshiMarket>& markets() const { return markets_; }

 private:
  std::vector<KalshiSeries> series_;
  std::vector<KalshiEvent> events_;
  std::vector<KalshiMarket> markets_;
  absl::flat_hash_map<absl::string_view, size_t> series_by_ticker_;
  absl::flat_hash_map<absl::string_view, size_t> events_by_ticker_;
  absl::flat_hash_map<MarketId, size_t> markets_by_id_;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_KALSHI_CATALOGUE_H_
