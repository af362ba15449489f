#include "engine/core/market.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "engine/core/risk_control.h"
#include "engine/types/quantity.h"

namespace engine {
namespace {

Grid PricesOf(const MarketDefinition& market) {
  int64_t finest = market.tick.units();
  if (!market.bands.empty()) {
    finest = 0;
    for (const TickBand& band : market.bands) finest = std::gcd(finest, band.tick.units());
  }
  return Grid(finest, market.price_min.units(), market.price_max.units());
}

Grid QuantitiesOf(const MarketDefinition& market) {
  const Quantity least = std::max(market.quantity_min, Quantity::FromUnits(1));
  const Quantity most = market.quantity_max.is_zero() ? kQuantityMax : market.quantity_max;
  return Grid(static_cast<int64_t>(market.lot.units()), static_cast<int64_t>(least.units()),
              static_cast<int64_t>(most.units()));
}

}  // namespace

Market::Market(const MarketDefinition& defined, BookStorage& storage)
    : prices(PricesOf(defined)),
      quantities(QuantitiesOf(defined)),
      micros(RiskControl::MicrosOf(defined)),
      book(defined.id, storage),
      definition(&defined),
      digest(DigestOfMarket(defined)) {
  if (is_binary()) money = ContractMoney(defined);
  MoveTo(defined.starts_unopened ? MarketState::kUnopened : MarketState::kOpen);
}

void Market::MoveTo(MarketState to) {
  state = to;
  open_prices = state == MarketState::kOpen && definition->bands.empty() ? prices.size() : 0;
  ordinary_prices = is_binary() ? 0 : open_prices;
}

}  // namespace engine
