#include "engine/core/market.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "engine/base/inline.h"
#include "engine/core/risk_control.h"
#include "engine/types/quantity.h"

namespace engine {
namespace {

Grid QuantitiesOf(const MarketDefinition& market) {
  const Quantity least = std::max(market.quantity_min, Quantity::FromUnits(1));
  const Quantity most = market.quantity_max.is_zero() ? kQuantityMax : market.quantity_max;
  return Grid(static_cast<int64_t>(market.lot.units()), static_cast<int64_t>(least.units()),
              static_cast<int64_t>(most.units()));
}

}  // namespace

Market::Market(const MarketDefinition& defined, BookStorage& storage)
    : quantities(QuantitiesOf(defined)),
      micros(RiskControl::MicrosOf(defined)),
      book(defined.id, storage),
      definition(&defined),
      digest(DigestOfMarket(defined)) {
  if (is_binary()) money = ContractMoney(defined);
  MoveTo(defined.starts_unopened ? MarketState::kUnopened : MarketState::kOpen);
}

void Market::MoveTo(MarketState to) {
  state = to;
  CountPrices();
}

void Market::CountPrices() {
  open_prices = state == MarketState::kOpen && definition->bands.empty() ? prices.size() : 0;
  ordinary_prices = is_binary() ? 0 : open_prices;
}

ENGINE_COLD void Market::Refine(Price price) {
  const Grid before = prices;
  price_step_ = std::gcd(price_step_, price.units());
  if (price_step_ == 0) price_step_ = 1;  // The first price is zero.
  prices = Grid(price_step_, definition->price_min.units(), definition->price_max.units());
  CountPrices();
  book.Renumber([&](uint64_t index) { return prices.IndexOf(before.NumberAt(index)); });
}

}  // namespace engine
