// Integers written as decimal fractions, exactly: 5600 with 4 decimals is "0.5600".
//
// Prices and quantities are counts of a unit; the market defines how many decimals the unit has.

#ifndef ENGINE_TYPES_DECIMAL_H_
#define ENGINE_TYPES_DECIMAL_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"

namespace engine {

inline constexpr int kDecimalsMax = 9;

// Prints exactly `decimals` digits after the point, and no point if `decimals` is 0.
// REQUIRES: 0 <= decimals <= kDecimalsMax.
std::string FormatPrice(Price price, int decimals);
std::string FormatQuantity(Quantity quantity, int decimals);

// Accepts fewer digits after the point ("0.56"), and more if they are zeros. No sign for
// quantities, no exponent, no spaces, no rounding. Errors: INVALID_ARGUMENT if `text` is not such a
// number, is finer than the unit, or does not fit.
absl::StatusOr<Price> ParsePrice(absl::string_view text, int decimals);
absl::StatusOr<Quantity> ParseQuantity(absl::string_view text, int decimals);

}  // namespace engine

#endif  // ENGINE_TYPES_DECIMAL_H_
