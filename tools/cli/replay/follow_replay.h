// A replay that follows a live run and is continuously compared with it.
//
//   writer ─► journal ─► Follower ─► Driver ─► digests at every checkpoint ─┐
//      └────► checkpoints.trace ────────────────────────────────────────────┴─ equal?
//
// Two engines run the same log, one live and one here. A divergence is known at the first
// checkpoint at which they differ, as soon as the live run has written that checkpoint.

#ifndef TOOLS_CLI_REPLAY_FOLLOW_REPLAY_H_
#define TOOLS_CLI_REPLAY_FOLLOW_REPLAY_H_

#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "journal/digest_sidecar.h"
#include "journal/follower.h"
#include "replay/checked_replay.h"
#include "replay/driver.h"
#include "replay/snapshot/state_source.h"
#include "tools/os/folder_watch.h"

namespace tools {

// Continues from `start` and skips the follower's earlier records. `recorded` returns the
// checkpoints that the live run has written so far; `idle` is called when there is nothing left to
// apply, and ends the replay if it returns false. `part` receives each record and its outputs in
// parts. Ends at the first divergence. Errors: the follower's; FAILED_PRECONDITION if the follower
// begins after `start`.
absl::StatusOr<replay::CheckedReplay> FollowReplay(
    journal::Follower& follower, Waiter& waiter, replay::StartingPoint& start,
    absl::FunctionRef<std::vector<journal::Checkpoint>()> recorded, absl::FunctionRef<bool()> idle,
    replay::Driver::Part part);

}  // namespace tools

#endif  // TOOLS_CLI_REPLAY_FOLLOW_REPLAY_H_
