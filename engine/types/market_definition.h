// What the exchange must know of a market before it can trade: its name, units and limits.

#ifndef ENGINE_TYPES_MARKET_DEFINITION_H_
#define ENGINE_TYPES_MARKET_DEFINITION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"

namespace engine {

// Do not renumber: in the journal.
enum class MarketKind : uint8_t {
  kEquity = 0,  // Traded without money or positions: the exchange only matches.
  kBinary = 1,  // A contract pays one dollar or nothing (or a part); fully collateralised.
};

// From this price on, up to where the next band begins, prices are multiples of `tick`.
struct TickBand {
  Price from;
  Price tick;

  friend bool operator==(const TickBand&, const TickBand&) = default;
};

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

  // Quantities are multiples of `lot`, from quantity_min to quantity_max; zero: from `lot`, to
  // kQuantityMax.
  Quantity lot = Quantity::FromUnits(1);
  Quantity quantity_min = {};
  Quantity quantity_max = {};

  MarketKind kind = MarketKind::kEquity;

  // Where the tick is not the same everywhere: ascending, the first at or below price_min. Empty:
  // `tick` everywhere.
  std::vector<TickBand> bands = {};

  // Whether it waits for an open-market command.
  bool starts_unopened = false;

  // Whether a fill-or-kill order that self-trade prevention keeps from an own order before it is
  // filled becomes immediate-or-cancel. Else only the orders of others count.
  bool fok_becomes_ioc = false;

  // Whether an amend or a replace after which a post-only order would trade cancels the order. Else
  // it is refused, and the order stays.
  bool post_only_change_cancels = false;

  // The tick that holds at `price`. REQUIRES: sound, price within the price band.
  Price TickAt(Price price) const;

  friend bool operator==(const MarketDefinition&, const MarketDefinition&) = default;
};

inline constexpr int kSymbolBytesMax = 32;
inline constexpr size_t kTickBandsMax = 16;

// Of a binary market: price and quantity decimals together, so that money is exact in 10^-6 dollar.
inline constexpr int kBinaryDecimalsMax = 6;

// Whether a market can be defined so: every field is in its range, and at least one price and one
// quantity are allowed. Independent of which markets there are.
// Errors: INVALID_ARGUMENT that names the field and what was expected.
absl::Status Validate(const MarketDefinition& definition);

}  // namespace engine

#endif  // ENGINE_TYPES_MARKET_DEFINITION_H_
