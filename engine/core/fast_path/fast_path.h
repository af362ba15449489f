// The fast path: applies the common commands of an active exchange without special cases, or leaves
// a command to the rules. It holds no rule of its own: each function here does what the rules in
// engine/core do, for commands that pass all their checks, and fast_path_test compares both.
//
//   join or begin a level · leave a level · move between levels · lower in place · trade · refuse a
//   cancel or amend of an order that is no longer live
//
// Each step ends with a call of the next, the last resort being ApplyRules, and never returns to
// the one before, so that no registers are saved and restored; `venue`, `command` and `events` come
// first, so that they stay in the same registers from step to step.
//
// Private to the exchange: only its face calls it.

#ifndef ENGINE_CORE_FAST_PATH_FAST_PATH_H_
#define ENGINE_CORE_FAST_PATH_FAST_PATH_H_

#include <cstddef>
#include <cstdint>

#include "engine/base/inline.h"
#include "engine/base/prefetch.h"
#include "engine/core/venue_state.h"
#include "engine/messages/command.h"
#include "engine/messages/event_buffer.h"

namespace engine::fast_path {

// False when built with --define=fast_path=off: then the rules apply every command.
#ifdef TICKTAPE_FAST_PATH_OFF
inline constexpr bool kIsOn = false;
#else
inline constexpr bool kIsOn = true;
#endif

// How many commands ahead Prefetch reads the commands themselves (which need not exist), the index
// entry of the order that a command names, that order, and its neighbours in the queue.
inline constexpr size_t kCommandAhead = 32;
inline constexpr size_t kIdentityAhead = 12;
inline constexpr size_t kOrderAhead = 6;
inline constexpr size_t kNeighboursAhead = 3;
inline constexpr size_t kPrefetchWindow = kIdentityAhead + 1;

// Applies `command`, if need be by ApplyRules. REQUIRES: the command is venue.last_applied, its
// time is venue.now; it has no attachment.
//
// It does not return whether it took the command, for a caller that else applies the rules: that
// takes 4 % more instructions in workload hft (120.6 instead of 115.9 a command), and 2 % more in
// swing_40, by callgrind.
void Apply(VenueState& venue, const Command& command, EventBuffer& events);

void PrefetchFar(const VenueState& venue, const Command* coming);

// As Exchange::Prefetch.
ENGINE_ALWAYS_INLINE void Prefetch(const VenueState& venue, const Command* coming) {
  if constexpr (kIsOn) {
    PrefetchToReadAfter(coming, kCommandAhead * sizeof(Command));
    venue.index.Prefetch(coming[kIdentityAhead].order_id);
    if (venue.storage.looks_ahead()) PrefetchFar(venue, coming);
  }
}

}  // namespace engine::fast_path

#endif  // ENGINE_CORE_FAST_PATH_FAST_PATH_H_
