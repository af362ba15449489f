#include "engine/core/market.h"

#include <cstdint>
#include <numeric>

#include "engine/base/inline.h"

namespace engine {
namespace {

// A cent, or a tick where cents are no multiples of ticks: orders are in cents on finer grids, too.
int64_t FirstStep(const MarketDefinition& market) {
  int64_t cent = 1;
  for (int decimals = 2; decimals < market.price_decimals; ++decimals) cent *= 10;
  const int64_t tick = market.tick.units();
  return cent % tick == 0 ? cent : tick;
}

}  // namespace

Market::Market(MarketId market, const MarketTerms& its_terms, BookStorage& storage)
    : book(market, storage), quantity_run_(its_terms.quantities.RunFromOne()), terms(&its_terms) {
  SetPrices(PricesInStepsOf(FirstStep(definition())));
  MoveTo(definition().starts_unopened ? MarketState::kUnopened : MarketState::kOpen);
}

void Market::MoveTo(MarketState to) {
  state = to;
  CountPrices();
}

void Market::CountPrices() {
  const bool is_plain = state == MarketState::kOpen && definition().bands.empty() && !is_mirrored();
  open_prices = is_plain ? prices().size() : 0;
  ordinary_prices = is_binary() ? 0 : open_prices;
}

Grid Market::PricesInStepsOf(int64_t step) const {
  return Grid(step, definition().price_min.units(), definition().price_max.units());
}

Grid Market::prices() const { return PricesInStepsOf(Grid::StepOf(price_inverse_, price_shift_)); }

void Market::SetPrices(const Grid& prices) {
  price_first_ = prices.first();
  price_inverse_ = prices.inverse();
  price_shift_ = static_cast<uint8_t>(prices.shift());
}

ENGINE_COLD void Market::Refine(Price price) {
  const Grid before = prices();
  const Grid after =
      PricesInStepsOf(std::gcd(Grid::StepOf(price_inverse_, price_shift_), price.units()));
  SetPrices(after);
  CountPrices();
  book.Renumber([&](uint64_t index) { return after.IndexOf(before.NumberAt(index)); });
}

}  // namespace engine
