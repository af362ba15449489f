// The whole program except main(): arguments in, exit code out.

#ifndef TOOLS_CLI_COMMAND_LINE_H_
#define TOOLS_CLI_COMMAND_LINE_H_

#include <memory>
#include <string>
#include <vector>

#include "tools/cli/base/console.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verb.h"

namespace tools {

// All verbs, in the order in which help lists them.
std::vector<std::unique_ptr<Verb>> MakeVerbs();

// `words` are the arguments without the program's name.
ExitCode RunCommandLine(const std::vector<std::string>& words, Console& console);

}  // namespace tools

#endif  // TOOLS_CLI_COMMAND_LINE_H_
