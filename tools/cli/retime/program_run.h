// A run in a new process: this program or another build of it, given the words of one run.

#ifndef TOOLS_CLI_RETIME_PROGRAM_RUN_H_
#define TOOLS_CLI_RETIME_PROGRAM_RUN_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/cli/retime/count_report.h"
#include "tools/cli/retime/retime_report.h"

namespace tools {

// `program`: with spaces, a command with arguments; empty, this program. Errors: those of the run
// as they are; others with what the program wrote to its standard error.
absl::StatusOr<RetimeReport> TimeProgram(const std::string& program,
                                         const std::vector<std::string>& words);

// The same, under callgrind. Errors: also UNIMPLEMENTED if valgrind is not installed.
absl::StatusOr<CountReport> CountProgram(const std::string& program,
                                         const std::vector<std::string>& words);

}  // namespace tools

#endif  // TOOLS_CLI_RETIME_PROGRAM_RUN_H_
