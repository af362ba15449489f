// Saves and loads the state as the parts of a snapshot (snapshot_parts.h).

#ifndef ENGINE_CORE_SNAPSHOT_H_
#define ENGINE_CORE_SNAPSHOT_H_

#include "absl/status/status.h"
#include "engine/core/venue_state.h"
#include "engine/state/snapshot_io.h"

namespace engine {

// Writes everything that decides what later commands do. Errors: the sink's.
absl::Status SaveSnapshot(const VenueState& venue, SnapshotSink sink);

// `venue` becomes the state that was saved. Any bytes are safe. REQUIRES: no command was applied.
// Errors: as Exchange::Load.
absl::Status LoadSnapshot(VenueState& venue, SnapshotSource source);

}  // namespace engine

#endif  // ENGINE_CORE_SNAPSHOT_H_
