// Runs of `retime`, each in a fresh process, of one program or of two in turns.
//
//   ours   1     4  5     8  9    ABBA: whatever slowly changes on the machine
//   other     2  3     6  7       meets both alike

#ifndef TOOLS_CLI_RETIME_RETIME_RUNS_H_
#define TOOLS_CLI_RETIME_RETIME_RUNS_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/cli/retime/retime_report.h"

namespace tools {

struct RetimeRuns {
  std::vector<RetimeReport> ours;
  std::vector<RetimeReport> others;  // Empty without another program.
};

// `words` are what follows the program's name. A program with a blank in it is a command. An empty
// `other` is none. `after_each` sees all runs so far; its error ends it.
// Errors: those of the runs, with what the program said.
absl::StatusOr<RetimeRuns> RunInTurns(
    const std::string& ours, const std::string& other, const std::vector<std::string>& words,
    size_t count, const std::function<absl::Status(const RetimeRuns&)>& after_each);

}  // namespace tools

#endif  // TOOLS_CLI_RETIME_RETIME_RUNS_H_
