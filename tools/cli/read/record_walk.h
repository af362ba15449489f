// The loop of every verb that reads a range of records: markets first, then record by record.

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

// Shows the commands of `range`, until `visit` says false. `markets` then knows the markets that
// are defined up to and including the command shown; it reads what stands before the range for
// them. Errors: the reader's.
absl::Status WalkCommands(
    journal::Reader& reader, const SequenceRange& range, MarketFollower& markets,
    absl::FunctionRef<bool(const engine::Command&, engine::Bytes attachment)> visit);

}  // namespace tools

#endif  // TOOLS_CLI_READ_RECORD_WALK_H_
