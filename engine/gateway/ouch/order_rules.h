// Requests as commands, and refusals as OUCH's letters: engine/wire/ouch/PROTOCOL.md, 3 and 4.

#ifndef ENGINE_GATEWAY_OUCH_ORDER_RULES_H_
#define ENGINE_GATEWAY_OUCH_ORDER_RULES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>

#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/wire/ouch/messages.h"

namespace engine {

// Reasons of a rejection.
enum class OuchRefusal : char {
  kHalted = 'H',
  kShares = 'Z',  // More than may be.
  kStock = 'S',
  kDisplay = 'D',
  kClosed = 'C',
  kFirm = 'L',
  kCrossType = 'R',
  kPrice = 'X',
  kMinimumQuantity = 'N',
  kOther = 'O',
};

// An order of OUCH that rests. A regular value type.
struct OuchOrder {
  OrderId id = {};
  size_t login = 0;  // An index.
  const MarketDefinition* market = nullptr;
  ouch::EnterOrder terms = {};  // With the token, the price and so on that it has now.
  uint32_t executed = 0;        // Under its earlier tokens also.
  uint32_t remaining = 0;

  // What it may execute from its beginning on.
  uint64_t total() const { return uint64_t{executed} + remaining; }
};

// The command of an order, without its account. `market`: of its stock; null if there is none.
// `firm`: of its login. `now`: the time of day.
std::variant<Command, OuchRefusal> CommandOf(const ouch::EnterOrder& order,
                                             const MarketDefinition* market, absl::string_view firm,
                                             Timestamp now);

// A replace, and what has to be done before it. Without account.
struct OuchReplacement {
  std::optional<Command> set_expiry = {};  // If the order shall have another.
  Command replace = {};
};
// Nullopt if it is invalid.
std::optional<OuchReplacement> ReplacementOf(const ouch::ReplaceOrder& request,
                                             const OuchOrder& order, Timestamp now);

// Whether `side` is one of a sale.
constexpr bool IsSale(char side) { return side == 'S' || side == 'T' || side == 'E'; }

OuchRefusal OuchRefusalOf(RejectReason reason);

// The reason of a cancellation that no request of OUCH's has caused.
char OuchLetterOf(CancelReason reason);

}  // namespace engine

#endif  // ENGINE_GATEWAY_OUCH_ORDER_RULES_H_
