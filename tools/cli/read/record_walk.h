// The loop of every verb that reads a range of records: first the markets, then each record.

#ifndef TOOLS_CLI_READ_RECORD_WALK_H_
#define TOOLS_CLI_READ_RECORD_WALK_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "engine/messages/command.h"
#include "journal/reader.h"
#include "tools/cli/read/market_follower.h"
#include "tools/cli/read/selector.h"

namespace tools {

// Calls `visit` with each command of `range`, until it returns false. During the call, `markets`
// has all markets defined up to and including that command; for this, the function also reads the
// records before the range. Errors: the reader's.
absl::Status WalkCommands(
    journal::Reader& reader, const SequenceRange& range, MarketFollower& markets,
    absl::FunctionRef<bool(const engine::Command&, engine::Bytes attachment)> visit);

}  // namespace tools

#endif  // TOOLS_CLI_READ_RECORD_WALK_H_
