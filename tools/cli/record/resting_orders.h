// The orders that rest in a restored state, as the commands and events that made them: what a
// conversation needs to know its orders again.

#ifndef TOOLS_CLI_RECORD_RESTING_ORDERS_H_
#define TOOLS_CLI_RECORD_RESTING_ORDERS_H_

#include <cstdint>
#include <span>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "tools/cli/base/console.h"
#include "tools/cli/record/recording.h"

namespace tools {

// Calls `repeat`, in the order of their ids, with each resting order of a `wanted` account: its
// command, its acceptance and, if it has traded, one trade. Returns how many orders have no command
// any more: the journal begins after it, and no kept row has it. Errors: the journal's.
absl::StatusOr<uint64_t> RepeatRestingOrders(
    const Recording::HistoryListener::Restored& restored, Console& console,
    absl::FunctionRef<bool(engine::AccountId)> wanted,
    absl::FunctionRef<void(const engine::Command&, std::span<const engine::Event>)> repeat);

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_RESTING_ORDERS_H_
