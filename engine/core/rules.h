// The rules, for every command in any state of the exchange: expire, validate, apply, emit, trip.

#ifndef ENGINE_CORE_RULES_H_
#define ENGINE_CORE_RULES_H_

#include "engine/base/bytes.h"
#include "engine/core/venue_state.h"
#include "engine/messages/command.h"
#include "engine/messages/event_buffer.h"

namespace engine {

// Applies `command` and emits its events. REQUIRES: the command is venue.last_applied, its time is
// venue.now.
void ApplyRules(VenueState& venue, const Command& command, Bytes attachment, EventBuffer& events);
// The same without an attachment.
void ApplyRules(VenueState& venue, const Command& command, EventBuffer& events);

}  // namespace engine

#endif  // ENGINE_CORE_RULES_H_
