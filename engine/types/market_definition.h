// What the exchange must know of a market before it can trade: its name, units and limits.

#ifndef ENGINE_TYPES_MARKET_DEFINITION_H_
#define ENGINE_TYPES_MARKET_DEFINITION_H_

#include <string>

#include "absl/status/status.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"

namespace engine {

// A regular value type. Travels as the attachment of a define-market command.
struct MarketDefinition {
  MarketId id = {};

  // Printable ASCII without spaces, 1 to kSymbolBytesMax bytes, not beginning with '#'; unique
  // among markets.
  std::string symbol = {};

  // How many decimals one price unit and one quantity unit stand for: 4 means 0.0001.
  int price_decimals = 0;
  int quantity_decimals = 0;

  // Prices are multiples of `tick` within [price_min, price_max], both included.
  Price tick = Price::FromUnits(1);
  Price price_min = Price::FromUnits(1);
  Price price_max = Price::FromUnits(kPriceUnitsMax);

  // Quantities are multiples of `lot`.
  Quantity lot = Quantity::FromUnits(1);

  friend bool operator==(const MarketDefinition&, const MarketDefinition&) = default;
};

inline constexpr int kSymbolBytesMax = 32;

// Whether a market can be defined so. Independent of which markets there are.
// Errors: INVALID_ARGUMENT that names the field and what was expected.
absl::Status Validate(const MarketDefinition& definition);

}  // namespace engine

#endif  // ENGINE_TYPES_MARKET_DEFINITION_H_
