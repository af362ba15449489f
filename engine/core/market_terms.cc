#include "engine/core/market_terms.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/hash/hash.h"
#include "engine/core/risk_control.h"
#include "engine/types/ids.h"
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

MarketDefinition WithoutName(MarketDefinition definition) {
  definition.id = MarketId();
  definition.symbol = std::string();
  return definition;
}

MarketTerms::MarketTerms(const TermsKey& key)
    : TermsKey(key),
      quantities(QuantitiesOf(key.definition)),
      micros(RiskControl::MicrosOf(key.definition)),
      markets(0) {}

BinaryTerms::BinaryTerms(const TermsKey& key) : MarketTerms(key), money(key.definition) {
  money.SetFees(key.fees);
}

const MarketTerms* TermsTable::Share(const TermsKey& key) {
  auto found = all_.find(key);
  if (found == all_.end()) {
    std::unique_ptr<MarketTerms> terms;
    if (key.definition.kind == MarketKind::kBinary) {
      terms = std::make_unique<BinaryTerms>(key);
    } else {
      terms = std::make_unique<MarketTerms>(key);
    }
    found = all_.insert(std::move(terms)).first;
  }
  ++(*found)->markets;
  return found->get();
}

void TermsTable::Release(const MarketTerms* terms) {
  const auto found = all_.find(*terms);
  if (--(*found)->markets == 0) all_.erase(found);
}

size_t TermsTable::Hash::operator()(const TermsKey& key) const {
  const MarketDefinition& market = key.definition;
  return absl::HashOf(market.kind, market.price_decimals, market.quantity_decimals,
                      market.tick.units(), market.price_min.units(), market.price_max.units(),
                      market.lot.units(), market.quantity_min.units(), market.quantity_max.units(),
                      market.bands.size(), key.fees.taker_coefficient, key.fees.maker_coefficient,
                      key.fees.multiplier, key.settlement_value.units());
}

}  // namespace engine
