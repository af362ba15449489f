// 'ticktape serve DIR --replay': the conversations of a venue, replayed and compared.

#ifndef TOOLS_CLI_SERVE_REPLAY_CONVERSATIONS_H_
#define TOOLS_CLI_SERVE_REPLAY_CONVERSATIONS_H_

#include <string>

#include "absl/status/statusor.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/exit_code.h"

namespace tools {

// Replays each conversation of `venue` with its command journal, and prints the first difference of
// each. One whose beginning was pruned, or that holds nothing, is left out with a note. Returns
// kDifferent if there is one. Errors: NOT_FOUND if there is no conversation; those of the journals.
absl::StatusOr<ExitCode> ReplayConversations(const std::string& venue, const std::string& journal,
                                             Console& console);

}  // namespace tools

#endif  // TOOLS_CLI_SERVE_REPLAY_CONVERSATIONS_H_
