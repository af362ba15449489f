// A replay that follows a live run, and is held against it as it goes.
//
//   writer ─► journal ─► Follower ─► Driver ─► digests at every checkpoint ─┐
//      └────► checkpoints.trace ────────────────────────────────────────────┴─ equal?
//
// Two engines on the same log, one live and one here: the first checkpoint at which they differ is
// known as soon as the live run has written its own.

#ifndef TOOLS_CLI_REPLAY_FOLLOW_REPLAY_H_
#define TOOLS_CLI_REPLAY_FOLLOW_REPLAY_H_

#include <functional>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/event.h"
#include "journal/digest_sidecar.h"
#include "journal/follower.h"
#include "journal/record.h"
#include "replay/checked_replay.h"
#include "replay/snapshot/state_source.h"
#include "tools/os/waiter.h"

namespace tools {

struct FollowReplayOptions {
  engine::SequenceNumber last = engine::SequenceNumber(UINT64_MAX);  // Ends behind it.
  // The checkpoints that the live run has left so far.
  std::function<std::vector<journal::Checkpoint>()> recorded;
  // When nothing is left to apply; false ends.
  std::function<bool()> idle;
};

// Goes on from `start`; what the follower shows before that is passed over. Ends by itself at the
// first divergence. Errors: the follower's, FAILED_PRECONDITION when it begins behind `start`.
absl::StatusOr<replay::CheckedReplay> FollowReplay(
    journal::Follower& follower, Waiter& waiter, replay::StartingPoint& start,
    const FollowReplayOptions& options,
    absl::FunctionRef<void(const journal::Record&, std::span<const engine::Event>)> seen);

}  // namespace tools

#endif  // TOOLS_CLI_REPLAY_FOLLOW_REPLAY_H_
