// Two states, entity by entity: orders, accounts, positions, groups, markets.
//
//   a.tape@1000000                        the state after that record, from the nearest snapshot
//   a.tape/snapshots/00...4096.snap       a snapshot's file, whatever journal it is of

#ifndef TOOLS_CLI_COMPARE_STATE_DIFF_H_
#define TOOLS_CLI_COMPARE_STATE_DIFF_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/exit_code.h"

namespace tools {

// Whether the word is in one of these two forms.
bool NamesState(const std::string& word);

// Prints, or writes as JSON, what they say differently; at most `shown_max` of it for people.
// Errors: NOT_FOUND, INVALID_ARGUMENT (no position), DATA_LOSS, the journal's and the storage's.
absl::StatusOr<ExitCode> DiffStates(const std::string& a, const std::string& b, size_t shown_max,
                                    Console& console);

}  // namespace tools

#endif  // TOOLS_CLI_COMPARE_STATE_DIFF_H_
