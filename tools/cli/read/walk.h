// The loops of the verbs that read a range of a journal: over its commands, or over the events that
// an engine makes of them.

#ifndef TOOLS_CLI_READ_WALK_H_
#define TOOLS_CLI_READ_WALK_H_

#include <span>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "journal/reader.h"
#include "replay/market_follower.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/read/selector.h"

namespace tools {

// Calls `visit` with each command of `range`, until it returns false. During the call, `markets`
// has all markets defined up to and including that command (MarketFollower::FollowUntil). Errors:
// the reader's.
absl::Status WalkCommands(
    journal::Reader& reader, const SequenceRange& range, replay::MarketFollower& markets,
    absl::FunctionRef<bool(const engine::Command&, engine::Bytes attachment)> visit);

// Replays from `start` up to and including `last`, and calls `visit` with each command and its
// events; `markets` then has the markets defined so far. Errors: the reader's.
absl::Status WalkEventsFrom(
    replay::StartingPoint& start, journal::Reader& reader, engine::SequenceNumber last,
    replay::MarketFollower& markets,
    absl::FunctionRef<void(const engine::Command&, std::span<const engine::Event>)> visit);
// The same with the events of a command in parts (replay::Driver::ApplyInParts).
absl::Status WalkEventsInParts(
    replay::StartingPoint& start, journal::Reader& reader, engine::SequenceNumber last,
    replay::MarketFollower& markets,
    absl::FunctionRef<void(const engine::Command&, std::span<const engine::Event>)> visit);

}  // namespace tools

#endif  // TOOLS_CLI_READ_WALK_H_
