// Checks of single members of requests, and their errors. For the decoders of this room.

#ifndef ENGINE_WIRE_KALSHI_REQUEST_CHECKS_H_
#define ENGINE_WIRE_KALSHI_REQUEST_CHECKS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "engine/types/order_flags.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "engine/wire/kalshi/errors.h"
#include "engine/wire/kalshi/numbers.h"

namespace engine::kalshi {

inline Error Because(const ErrorKind& kind, absl::string_view details = "") {
  return {kind, std::string(details)};
}

// The error of a check, nullopt if it passes.
using Refusal = std::optional<Error>;

#define RETURN_IF_REFUSED(expression)                          \
  do {                                                         \
    if (Refusal refusal = (expression); refusal.has_value()) { \
      return *std::move(refusal);                              \
    }                                                          \
  } while (false)

// Each takes a member as it came, nullopt or empty if it is missing, and sets the value.
using TextMember = std::optional<absl::string_view>;
using IntegerMember = std::optional<int64_t>;

Refusal ReadTicker(const TextMember& text, absl::string_view& ticker);
Refusal ReadSide(const TextMember& text, Side& side);
// Positive, unless `takes_zero`, and at most kQuantityMax.
Refusal ReadCount(const TextMember& text, bool takes_zero, Count& count);
Refusal ReadPrice(const TextMember& text, Price& price);
Refusal ReadTimeInForce(const TextMember& text, TimeInForce& tif);
// "taker_at_cross" or "maker"; ToText() of portfolio_objects.h is the inverse.
std::optional<SelfTradePrevention> ParseSelfTradePrevention(absl::string_view text);
Refusal ReadSelfTradePrevention(const TextMember& text, SelfTradePrevention& prevention);
// `name` is the member's.
Refusal ReadClientOrderId(const TextMember& text, absl::string_view name, absl::string_view& id);
Refusal CheckSubaccount(const IntegerMember& value);
Refusal ReadExchangeIndex(const IntegerMember& value, int32_t& index);
// Of the two, `text` counts if both are there.
Refusal ReadContractsLimit(const TextMember& text, const IntegerMember& contracts, Count& limit);
// Not before 1970, nor after what a Timestamp holds.
Refusal CheckExpiration(const IntegerMember& expiration_s);

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_REQUEST_CHECKS_H_
