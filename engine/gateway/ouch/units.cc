#include "engine/gateway/ouch/units.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "engine/wire/ouch/messages.h"

namespace engine {
namespace {

constexpr int kPriceDecimals = 4;
constexpr size_t kSymbolBytes = sizeof(ouch::Stock);

constexpr int64_t PowerOfTen(int exponent) {
  int64_t power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

// OUCH's units in one of the market.
int64_t PriceFactor(const MarketDefinition& market) {
  return PowerOfTen(kPriceDecimals - market.price_decimals);
}

// The market's units in one share.
uint64_t SharesFactor(const MarketDefinition& market) {
  return static_cast<uint64_t>(PowerOfTen(market.quantity_decimals));
}

}  // namespace

absl::Status CheckOuchMarket(const MarketDefinition& market) {
  if (market.symbol.size() > kSymbolBytes) {
    return absl::InvalidArgumentError("a market with a symbol of at most 8 characters");
  }
  if (market.price_decimals > kPriceDecimals) {
    return absl::InvalidArgumentError("a market with at most 4 price_decimals");
  }
  if (market.price_min < Price() ||
      market.price_max.units() >= ouch::kMarketPrice / PriceFactor(market)) {
    return absl::InvalidArgumentError(
        "a market with prices from 0 to 214748 dollars: its price_min and price_max");
  }
  if (market.lot.units() % SharesFactor(market) != 0) {
    return absl::InvalidArgumentError("a market whose lot is of whole shares");
  }
  if (market.mirrored) return absl::InvalidArgumentError("a market that is not mirrored");
  return absl::OkStatus();
}

std::optional<Price> FromOuchPrice(uint32_t price, const MarketDefinition& market) {
  const int64_t factor = PriceFactor(market);
  if (price % factor != 0) return std::nullopt;
  return Price::FromUnits(price / factor);
}

Quantity FromOuchShares(uint64_t shares, const MarketDefinition& market) {
  return Quantity::FromUnits(shares * SharesFactor(market));
}

uint32_t ToOuchPrice(Price price, const MarketDefinition& market) {
  return static_cast<uint32_t>(
      std::clamp<int64_t>(price.units() * PriceFactor(market), 0, ouch::kMarketPrice));
}

uint32_t ToOuchShares(Quantity quantity, const MarketDefinition& market) {
  return static_cast<uint32_t>(std::min<uint64_t>(quantity.units() / SharesFactor(market),
                                                  std::numeric_limits<uint32_t>::max()));
}

}  // namespace engine
