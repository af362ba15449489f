// Commands about accounts: money, limits, groups. Validate, apply, emit.
//
// Each function either returns a reason and changes nothing, or applies the command and returns
// kNone. Amounts, limits and groups are validated by ledger, risk_control and order_groups.

#ifndef ENGINE_CORE_ACCOUNT_COMMANDS_H_
#define ENGINE_CORE_ACCOUNT_COMMANDS_H_

#include "engine/base/bytes.h"
#include "engine/core/venue_state.h"
#include "engine/messages/command.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/reject_reason.h"

namespace engine {

RejectReason OpenAccount(VenueState& venue, const Command& command, EventBuffer& events);
// Deposits or withdraws.
RejectReason MoveMoney(VenueState& venue, const Command& command, EventBuffer& events);
RejectReason SetRiskLimits(VenueState& venue, const Command& command, Bytes attachment,
                           EventBuffer& events);
RejectReason DefineGroup(VenueState& venue, const Command& command, EventBuffer& events);
RejectReason ResetGroup(VenueState& venue, const Command& command, EventBuffer& events);

}  // namespace engine

#endif  // ENGINE_CORE_ACCOUNT_COMMANDS_H_
