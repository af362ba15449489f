// The definition of a market: its name, units and limits. The exchange needs it before the market
// can trade.

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

// A tick size: prices from `from` up to the start of the next band are multiples of `tick`.
struct TickBand {
  Price from;
  Price tick;

  friend bool operator==(const TickBand&, const TickBand&) = default;
};

// A regular value type, carried as the attachment of a define-market command.
struct MarketDefinition {
  MarketId id = {};

  // Printable ASCII without spaces, 1 to kSymbolBytesMax bytes, not beginning with '#'; unique
  // among markets.
  std::string symbol = {};

  // The number of decimals of one price unit and one quantity unit: 4 means 0.0001.
  int price_decimals = 0;
  int quantity_decimals = 0;

  // Prices are multiples of `tick` within [price_min, price_max], both included.
  Price tick = Price::FromUnits(1);
  Price price_min = Price::FromUnits(1);
  Price price_max = Price::FromUnits(kPriceUnitsMax);

  // Quantities are multiples of `lot`, from quantity_min to quantity_max. A quantity_min of zero
  // means `lot`; a quantity_max of zero means kQuantityMax.
  Quantity lot = Quantity::FromUnits(1);
  Quantity quantity_min = {};
  Quantity quantity_max = {};

  MarketKind kind = MarketKind::kEquity;

  // Tick sizes that depend on the price: ascending, the first at or below price_min. If empty,
  // `tick` applies everywhere.
  std::vector<TickBand> bands = {};

  // Whether the market starts unopened and waits for an open-market command.
  bool starts_unopened = false;

  // For fill-or-kill orders with self-trade prevention. If set, an order that meets an own order
  // before it is filled becomes immediate-or-cancel. Otherwise only the orders of others count as
  // quantity that can fill it.
  bool fok_becomes_ioc = false;

  // For an amend or a replace that would make a post-only order trade. If set, the order is
  // cancelled. Otherwise the command is rejected and the order stays.
  bool post_only_change_cancels = false;

  // Whether the market repeats what a venue reports: its orders, all of account zero, rest where
  // the venue has them, even crossed, and trade only by execute commands. Nothing is matched, and
  // no money moves.
  bool mirrored = false;

  // The tick at `price`. REQUIRES: the definition is valid; price_min <= price <= price_max.
  Price TickAt(Price price) const;

  friend bool operator==(const MarketDefinition&, const MarketDefinition&) = default;
};

inline constexpr int kSymbolBytesMax = 32;
inline constexpr size_t kTickBandsMax = 16;

// The maximum of price_decimals + quantity_decimals in a binary market, so that money is exact in
// 10^-6 dollar.
inline constexpr int kBinaryDecimalsMax = 6;

// Whether the definition is valid: every field is in its range, and at least one price and one
// quantity are allowed. Does not depend on other markets.
// Errors: INVALID_ARGUMENT that names the field and what was expected.
absl::Status Validate(const MarketDefinition& definition);

}  // namespace engine

#endif  // ENGINE_TYPES_MARKET_DEFINITION_H_
