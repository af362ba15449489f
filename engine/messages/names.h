// The names of enumeration values in the text form, in both directions.

#ifndef ENGINE_MESSAGES_NAMES_H_
#define ENGINE_MESSAGES_NAMES_H_

#include <string>

#include "absl/strings/string_view.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/lifecycle.h"
#include "engine/types/market_definition.h"
#include "engine/types/order_flags.h"

namespace engine {

// The value's name, or its decimal number if it has none (a damaged or newer value).
std::string NameOf(CommandKind kind);  // new_order, cancel, ...
std::string NameOf(EventKind kind);    // accepted, trade, ...
std::string NameOf(Side side);         // bid, ask
std::string NameOf(OrderType type);    // limit, market
std::string NameOf(TimeInForce tif);   // gtc, ioc, fok, gtt, day
std::string NameOf(RejectReason reason);
std::string NameOf(CancelReason reason);
std::string NameOf(PriorityOutcome outcome);
std::string NameOf(SelfTradePrevention prevention);  // none, taker, maker, both
std::string NameOf(MarketKind kind);                 // equity, binary
std::string NameOf(MarketState state);
std::string NameOf(ExchangeState state);

// The same without a copy; empty if the value has no name.
absl::string_view KnownNameOf(RejectReason reason);
absl::string_view KnownNameOf(CancelReason reason);
absl::string_view KnownNameOf(PriorityOutcome outcome);

// The inverse of NameOf. Also accepts the decimal number of any value. Returns false if `name` is
// neither.
bool ParseName(absl::string_view name, CommandKind& kind);
bool ParseName(absl::string_view name, EventKind& kind);
bool ParseName(absl::string_view name, Side& side);
bool ParseName(absl::string_view name, OrderType& type);
bool ParseName(absl::string_view name, TimeInForce& tif);
bool ParseName(absl::string_view name, RejectReason& reason);
bool ParseName(absl::string_view name, CancelReason& reason);
bool ParseName(absl::string_view name, PriorityOutcome& outcome);
bool ParseName(absl::string_view name, SelfTradePrevention& prevention);
bool ParseName(absl::string_view name, MarketKind& kind);
bool ParseName(absl::string_view name, MarketState& state);
bool ParseName(absl::string_view name, ExchangeState& state);

}  // namespace engine

#endif  // ENGINE_MESSAGES_NAMES_H_
