#include "engine/types/money.h"

#include "engine/base/status_macros.h"
#include "engine/types/decimal.h"
#include "engine/types/price.h"

namespace engine {
namespace {

constexpr int kDecimals = 6;

}  // namespace

std::string Money::ToString() const { return FormatPrice(Price::FromUnits(micros_), kDecimals); }

absl::StatusOr<Money> Money::Parse(absl::string_view text) {
  ASSIGN_OR_RETURN(const Price units, ParsePrice(text, kDecimals));
  return FromMicros(units.units());
}

}  // namespace engine
