// The loop of every verb that follows a journal: existing records first, then new ones.

#ifndef TOOLS_CLI_READ_FOLLOW_WALK_H_
#define TOOLS_CLI_READ_FOLLOW_WALK_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "journal/follower.h"
#include "journal/record.h"
#include "tools/os/waiter.h"

namespace tools {

// Calls `visit` with each record until it returns false. When there is nothing left to show, calls
// `idle`, then the waiter; either ends the loop by returning false. Errors: the follower's.
absl::Status WalkFollowing(journal::Follower& follower, Waiter& waiter,
                           absl::FunctionRef<bool(const journal::Record&)> visit,
                           absl::FunctionRef<bool()> idle);

}  // namespace tools

#endif  // TOOLS_CLI_READ_FOLLOW_WALK_H_
