// Order commands: validate, apply, emit.
//
// The order of the checks is that of RULES.md, 12; the checks that need nothing but the command,
// its market's definition and its order are in order_rules.

#ifndef ENGINE_CORE_ORDER_COMMANDS_H_
#define ENGINE_CORE_ORDER_COMMANDS_H_

#include <optional>

#include "engine/core/market.h"
#include "engine/core/risk_control.h"
#include "engine/core/venue_state.h"
#include "engine/messages/command.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/price.h"
#include "engine/types/side.h"

namespace engine {

// Either returns a reason and changes nothing, or applies the command and returns kNone. REQUIRES:
// the command's scope is kOrders.
RejectReason ApplyOrderCommand(VenueState& venue, const Command& command, EventBuffer& events);

// Validates a new, replaced or amended order of `side` against its account's limits. `limit` is
// none for a market order. REQUIRES: some account is restricted.
RejectReason CheckRisk(const VenueState& venue, const Command& command, const Market& market,
                       Side side, std::optional<Price> limit, RiskControl::Request::Rests rests);

}  // namespace engine

#endif  // ENGINE_CORE_ORDER_COMMANDS_H_
