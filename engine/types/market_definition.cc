#include "engine/types/market_definition.h"

#include <algorithm>
#include <cstdint>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "engine/types/decimal.h"
#include "engine/types/grid.h"

namespace engine {
namespace {

bool IsSymbol(const std::string& text) {
  return !text.empty() && text.front() != '#' && text.size() <= kSymbolBytesMax &&
         absl::c_all_of(text,
                        [](char c) { return absl::ascii_isgraph(static_cast<unsigned char>(c)); });
}

int64_t PowerOfTen(int exponent) {
  int64_t power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

bool IsTick(Price tick) { return tick.units() >= 1 && tick.units() <= kPriceUnitsMax; }

bool AreBands(const MarketDefinition& definition) {
  const auto& bands = definition.bands;
  if (bands.empty()) return true;
  if (bands.size() > kTickBandsMax || bands.front().from > definition.price_min) return false;
  for (size_t i = 0; i < bands.size(); ++i) {
    if (!IsTick(bands[i].tick) || (i > 0 && bands[i].from <= bands[i - 1].from)) return false;
  }
  return true;
}

// Whether at least one price is allowed. REQUIRES: ticks, prices and bands are valid.
bool AllowsAnyPrice(const MarketDefinition& definition) {
  const auto allows_any = [](Price from, int64_t to, Price tick) {
    return Grid(tick.units(), from.units(), to).size() != 0;
  };
  const int64_t high = definition.price_max.units();
  const auto& bands = definition.bands;
  if (bands.empty()) return allows_any(definition.price_min, high, definition.tick);
  for (size_t i = 0; i < bands.size(); ++i) {
    const int64_t end = i + 1 < bands.size() ? bands[i + 1].from.units() - 1 : high;
    const Price from = std::max(definition.price_min, bands[i].from);
    if (allows_any(from, std::min(high, end), bands[i].tick)) return true;
  }
  return false;
}

// Whether at least one quantity is allowed. REQUIRES: lot and limits are valid.
bool AllowsAnyQuantity(const MarketDefinition& definition) {
  const Quantity most = definition.quantity_max.is_zero() ? kQuantityMax : definition.quantity_max;
  const uint64_t lot = definition.lot.units();
  const uint64_t largest = most.units() / lot * lot;
  return largest != 0 && largest >= definition.quantity_min.units();
}

bool IsDecimals(int decimals) { return decimals >= 0 && decimals <= kDecimalsMax; }

// Prices of a binary market are strictly between 0 and 1 dollar, and its money is exact.
absl::Status ValidateBinary(const MarketDefinition& definition) {
  if (definition.price_decimals + definition.quantity_decimals > kBinaryDecimalsMax) {
    return absl::InvalidArgumentError(
        absl::StrCat("price and quantity decimals of a binary market must be at most ",
                     kBinaryDecimalsMax, " together"));
  }
  if (definition.price_min.units() < 1 ||
      definition.price_max.units() >= PowerOfTen(definition.price_decimals)) {
    return absl::InvalidArgumentError("prices of a binary market must be between 0 and 1 dollar");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status Validate(const MarketDefinition& definition) {
  const auto refuse = [](auto... what) {
    return absl::InvalidArgumentError(absl::StrCat(what...));
  };
  if (definition.id == MarketId()) return refuse("market id 0 is not a market");
  if (!IsSymbol(definition.symbol)) {
    return refuse("symbol must be 1 to ", kSymbolBytesMax,
                  " printable ASCII characters without spaces");
  }
  if (!IsDecimals(definition.price_decimals) || !IsDecimals(definition.quantity_decimals)) {
    return refuse("decimals must be 0 to ", kDecimalsMax);
  }
  if (!IsTick(definition.tick)) {
    return refuse("tick must be 1 to ", kPriceUnitsMax, " price units");
  }
  if (definition.price_min > definition.price_max) return refuse("price_min is above price_max");
  if (definition.price_min.units() < -kPriceUnitsMax ||
      definition.price_max.units() > kPriceUnitsMax) {
    return refuse("prices must stay within ", kPriceUnitsMax, " price units of zero");
  }
  if (definition.lot.is_zero() || definition.lot > kQuantityMax) {
    return refuse("lot must be 1 to ", kQuantityMax.units(), " quantity units");
  }
  if (definition.quantity_min > kQuantityMax || definition.quantity_max > kQuantityMax ||
      (!definition.quantity_max.is_zero() && definition.quantity_min > definition.quantity_max)) {
    return refuse("quantity_min and quantity_max must be ascending, at most ", kQuantityMax.units(),
                  " quantity units");
  }
  if (!AreBands(definition)) {
    return refuse("tick bands must be at most ", kTickBandsMax,
                  ", ascending, the first at or below price_min");
  }
  if (!AllowsAnyPrice(definition)) {
    return refuse("at least one multiple of the tick must lie from price_min to price_max");
  }
  if (!AllowsAnyQuantity(definition)) {
    return refuse("at least one multiple of the lot must lie from quantity_min to quantity_max");
  }
  return definition.kind == MarketKind::kBinary   ? ValidateBinary(definition)
         : definition.kind == MarketKind::kEquity ? absl::OkStatus()
                                                  : refuse("kind must be equity or binary");
}

Price MarketDefinition::TickAt(Price price) const {
  Price result = tick;
  for (const TickBand& band : bands) {
    if (band.from > price) break;
    result = band.tick;
  }
  return result;
}

}  // namespace engine
