// The invariants of an exchange's state.

#ifndef ENGINE_CORE_INVARIANTS_H_
#define ENGINE_CORE_INVARIANTS_H_

#include "engine/core/venue_state.h"

namespace engine {

// CHECKs E1, E2, E3, and that books, index, accounts, groups and expiries agree. Visits everything.
void CheckInvariants(const VenueState& venue);

}  // namespace engine

#endif  // ENGINE_CORE_INVARIANTS_H_
