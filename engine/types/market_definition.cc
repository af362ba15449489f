#include "engine/types/market_definition.h"

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "engine/types/decimal.h"

namespace engine {
namespace {

bool IsSymbol(const std::string& text) {
  return !text.empty() && text.front() != '#' && text.size() <= kSymbolBytesMax &&
         absl::c_all_of(text,
                        [](char c) { return absl::ascii_isgraph(static_cast<unsigned char>(c)); });
}

bool IsDecimals(int decimals) { return decimals >= 0 && decimals <= kDecimalsMax; }

}  // namespace

absl::Status Validate(const MarketDefinition& definition) {
  const auto refuse = [](auto... what) {
    return absl::InvalidArgumentError(absl::StrCat(what...));
  };
  if (definition.id == MarketId()) return refuse("market id 0 is no market");
  if (!IsSymbol(definition.symbol)) {
    return refuse("symbol must be 1 to ", kSymbolBytesMax,
                  " printable ASCII characters without spaces");
  }
  if (!IsDecimals(definition.price_decimals) || !IsDecimals(definition.quantity_decimals)) {
    return refuse("decimals must be 0 to ", kDecimalsMax);
  }
  if (definition.tick.units() < 1 || definition.tick.units() > kPriceUnitsMax) {
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
  return absl::OkStatus();
}

}  // namespace engine
