// The names of enumeration values in the text form, in both directions.

#ifndef ENGINE_MESSAGES_NAMES_H_
#define ENGINE_MESSAGES_NAMES_H_

#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>

#include "absl/strings/string_view.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/lifecycle.h"
#include "engine/types/market_definition.h"
#include "engine/types/order_flags.h"

namespace engine {

// The names of an enumeration's values in numerical order; an empty one stands for a number without
// a name.
using Names = std::span<const absl::string_view>;

// The argument only selects the enumeration.
Names NamesOf(CommandKind);          // new_order, cancel, ...
Names NamesOf(EventKind);            // accepted, trade, ...
Names NamesOf(Side);                 // bid, ask
Names NamesOf(OrderType);            // limit, market
Names NamesOf(TimeInForce);          // gtc, ioc, fok, gtt, day
Names NamesOf(SelfTradePrevention);  // none, taker, maker, both
Names NamesOf(MarketKind);           // equity, binary
Names NamesOf(MarketState);
Names NamesOf(ExchangeState);
Names NamesOf(AccountStanding);  // active, suspended
Names NamesOf(RejectReason);
Names NamesOf(CancelReason);
Names NamesOf(PriorityOutcome);

// Returns the name of a number, or its decimal number if it has none (a damaged or newer value).
std::string NameIn(Names names, uint64_t number);

// The inverse of NameIn. Also accepts the decimal number of any value up to `max`. Returns false if
// `text` is neither.
bool ParseNameIn(Names names, absl::string_view text, uint64_t max, uint64_t& number);

template <typename Enum>
concept NamedEnum = std::is_enum_v<Enum> && requires(Enum value) {
  { NamesOf(value) } -> std::same_as<Names>;
};

template <NamedEnum Enum>
std::string NameOf(Enum value) {
  return NameIn(NamesOf(value), static_cast<std::underlying_type_t<Enum>>(value));
}

// The same without a copy; empty if the value has no name.
template <NamedEnum Enum>
absl::string_view KnownNameOf(Enum value) {
  const auto number = static_cast<std::underlying_type_t<Enum>>(value);
  const Names names = NamesOf(value);
  return number < names.size() ? names[number] : absl::string_view();
}

template <NamedEnum Enum>
bool ParseName(absl::string_view name, Enum& value) {
  using Number = std::underlying_type_t<Enum>;
  uint64_t number = 0;
  if (!ParseNameIn(NamesOf(value), name, std::numeric_limits<Number>::max(), number)) return false;
  value = static_cast<Enum>(number);
  return true;
}

}  // namespace engine

#endif  // ENGINE_MESSAGES_NAMES_H_
