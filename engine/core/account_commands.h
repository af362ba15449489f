// Commands about accounts: money, limits, groups. Validate, apply, emit.
//
// Amounts, limits and groups are validated by ledger, risk_control and order_groups.

#ifndef ENGINE_CORE_ACCOUNT_COMMANDS_H_
#define ENGINE_CORE_ACCOUNT_COMMANDS_H_

#include "engine/base/bytes.h"
#include "engine/core/venue_state.h"
#include "engine/messages/command.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/reject_reason.h"

namespace engine {

// Either returns a reason and changes nothing, or applies the command and returns kNone. REQUIRES:
// the command's scope is kAccount or kGroup.
RejectReason ApplyAccountCommand(VenueState& venue, const Command& command, Bytes attachment,
                                 EventBuffer& events);

}  // namespace engine

#endif  // ENGINE_CORE_ACCOUNT_COMMANDS_H_
