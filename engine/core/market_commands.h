// Commands about markets and the exchange as a whole: validate, apply, emit.
//
// Each function either returns a reason and changes nothing, or applies the command and returns
// kNone. market_lifecycle has the tables of states.

#ifndef ENGINE_CORE_MARKET_COMMANDS_H_
#define ENGINE_CORE_MARKET_COMMANDS_H_

#include "engine/base/bytes.h"
#include "engine/core/market.h"
#include "engine/core/venue_state.h"
#include "engine/messages/command.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"

namespace engine {

RejectReason DefineMarket(VenueState& venue, const Command& command, Bytes attachment,
                          EventBuffer& events);
// Opens, pauses, closes, determines or settles a market, and cancels the orders that this ends.
RejectReason MoveMarket(VenueState& venue, const Command& command, EventBuffer& events);
RejectReason SetFees(VenueState& venue, const Command& command, Bytes attachment,
                     EventBuffer& events);
// Resumes, pauses or halts the exchange.
void MoveExchange(VenueState& venue, const Command& command, EventBuffer& events);

// REQUIRES: the directory has the market, the table does not.
Market& AddMarket(VenueState& venue, MarketId id);

}  // namespace engine

#endif  // ENGINE_CORE_MARKET_COMMANDS_H_
