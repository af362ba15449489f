// Shell completions for the program.

#ifndef TOOLS_CLI_HELP_COMPLETIONS_H_
#define TOOLS_CLI_HELP_COMPLETIONS_H_

#include <string>

#include "tools/cli/help/command_tree.h"

namespace tools {

// Scripts to be sourced, or installed where the shell looks for completions.
std::string BashCompletions(const Command& program);
std::string ZshCompletions(const Command& program);
std::string FishCompletions(const Command& program);

}  // namespace tools

#endif  // TOOLS_CLI_HELP_COMPLETIONS_H_
