// Commands about markets and the exchange as a whole: validate, apply, emit. market_lifecycle has
// the tables of states.

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

// Either returns a reason and changes nothing, or applies the command and returns kNone. REQUIRES:
// the command's scope is kMarket or kExchange.
RejectReason ApplyMarketCommand(VenueState& venue, const Command& command, Bytes attachment,
                                EventBuffer& events);

// REQUIRES: the directory has the market, the table does not.
Market& AddMarket(VenueState& venue, MarketId id);

}  // namespace engine

#endif  // ENGINE_CORE_MARKET_COMMANDS_H_
