// The loop of every verb that follows a journal: what is there, then what comes.

#ifndef TOOLS_CLI_READ_FOLLOW_WALK_H_
#define TOOLS_CLI_READ_FOLLOW_WALK_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "journal/follower.h"
#include "journal/record.h"
#include "tools/os/waiter.h"

namespace tools {

// Shows record after record to `visit`, until it says false or `waiter` does. Whenever nothing is
// left to show, `idle` is called, which may say false too, and then the waiter.
// Errors: the follower's.
absl::Status WalkFollowing(journal::Follower& follower, Waiter& waiter,
                           absl::FunctionRef<bool(const journal::Record&)> visit,
                           absl::FunctionRef<bool()> idle);

}  // namespace tools

#endif  // TOOLS_CLI_READ_FOLLOW_WALK_H_
