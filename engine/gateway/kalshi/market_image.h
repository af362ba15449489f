// A market, an event and a series as Kalshi's API shows them, with the memory of what they refer
// to.

#ifndef ENGINE_GATEWAY_KALSHI_MARKET_IMAGE_H_
#define ENGINE_GATEWAY_KALSHI_MARKET_IMAGE_H_

#include <optional>
#include <vector>

#include "engine/base/timestamp.h"
#include "engine/gateway/kalshi/world.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/side.h"
#include "engine/wire/kalshi/market_objects.h"

namespace engine {

// The levels of a market's book, best first.
struct BookImage {
  std::vector<kalshi::Level> bids;
  std::vector<kalshi::Level> asks;

  kalshi::Book book() const { return {.bids = bids, .asks = asks}; }
};
BookImage BookImageOf(MarketId market, const DepthView& depth);

// Neither copied nor moved: the market refers to its ranges.
struct MarketImage {
  // As of `now`, which is not before the last record.
  MarketImage(const KalshiListing& listing, const KalshiWorld& world, Timestamp now);
  MarketImage(const MarketImage&) = delete;
  MarketImage& operator=(const MarketImage&) = delete;

  std::vector<kalshi::PriceRange> ranges;
  kalshi::Market market;
};

kalshi::MarketStatus StatusOf(MarketState state);
kalshi::MarketResult ResultOf(const std::optional<Price>& settlement_value);

// Without its markets, which the writer of the reply adds.
kalshi::Event EventImageOf(const KalshiEvent& event, const KalshiWorld& world);

}  // namespace engine

#endif  // ENGINE_GATEWAY_KALSHI_MARKET_IMAGE_H_
