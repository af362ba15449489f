// Prices and shares of OUCH in the units of a market.

#ifndef ENGINE_GATEWAY_OUCH_UNITS_H_
#define ENGINE_GATEWAY_OUCH_UNITS_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"

namespace engine {

// Whether OUCH can say all that happens in the market: its symbol, its prices and whole shares.
// Errors: INVALID_ARGUMENT with what was expected.
absl::Status CheckOuchMarket(const MarketDefinition& market);

// REQUIRES of the following: CheckOuchMarket(market) is OK.
//
// Nullopt if the market has no such price.
std::optional<Price> FromOuchPrice(uint32_t price, const MarketDefinition& market);
Quantity FromOuchShares(uint64_t shares, const MarketDefinition& market);
// The nearest that there is, for prices and quantities outside of OUCH's.
uint32_t ToOuchPrice(Price price, const MarketDefinition& market);
uint32_t ToOuchShares(Quantity quantity, const MarketDefinition& market);

}  // namespace engine

#endif  // ENGINE_GATEWAY_OUCH_UNITS_H_
