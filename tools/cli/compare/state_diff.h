// Compares two states by entity: orders, accounts, positions, groups, markets.
//
//   a.tape@1000000                        the state after that record, from the nearest snapshot
//   a.tape/snapshots/00...4096.snap       a snapshot file, of any journal

#ifndef TOOLS_CLI_COMPARE_STATE_DIFF_H_
#define TOOLS_CLI_COMPARE_STATE_DIFF_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/exit_code.h"

namespace tools {

// Whether `word` has one of these two forms.
bool NamesState(const std::string& word);

// Prints the differences, for people at most `shown_max` of them, or writes them as JSON. Errors:
// NOT_FOUND, INVALID_ARGUMENT (not a position), DATA_LOSS, the journal's and the storage's.
absl::StatusOr<ExitCode> DiffStates(const std::string& a, const std::string& b, size_t shown_max,
                                    Console& console);

}  // namespace tools

#endif  // TOOLS_CLI_COMPARE_STATE_DIFF_H_
