// The loop of the verbs that need events: drives an engine over the journal.

#ifndef TOOLS_CLI_REPLAY_REPLAY_WALK_H_
#define TOOLS_CLI_REPLAY_REPLAY_WALK_H_

#include <span>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "journal/reader.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/read/market_follower.h"

namespace tools {

// Replays from `start` up to and including `last`, and calls `visit` with each command and its
// events; `markets` then has the markets defined so far. Errors: the reader's.
absl::Status WalkEventsFrom(
    replay::StartingPoint& start, journal::Reader& reader, engine::SequenceNumber last,
    MarketFollower& markets,
    absl::FunctionRef<void(const engine::Command&, std::span<const engine::Event>)> visit);

}  // namespace tools

#endif  // TOOLS_CLI_REPLAY_REPLAY_WALK_H_
