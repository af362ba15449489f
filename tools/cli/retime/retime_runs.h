// Makes runs of `retime`, each in a new process, of one program or of two in alternation.
//
//   ours   1     4  5     8  9    ABBA: slow changes of the machine
//   other     2  3     6  7       affect both equally

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

// `words` are the arguments. A program that contains spaces is a command with arguments. If `other`
// is empty, only `ours` runs. `after_each` receives all runs so far; its error stops. Errors: those
// of the runs, with the program's standard error.
absl::StatusOr<RetimeRuns> RunInTurns(
    const std::string& ours, const std::string& other, const std::vector<std::string>& words,
    size_t count, const std::function<absl::Status(const RetimeRuns&)>& after_each);

}  // namespace tools

#endif  // TOOLS_CLI_RETIME_RETIME_RUNS_H_
