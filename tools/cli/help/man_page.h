// The manual page of the program, in roff.

#ifndef TOOLS_CLI_HELP_MAN_PAGE_H_
#define TOOLS_CLI_HELP_MAN_PAGE_H_

#include <string>

#include "tools/cli/help/command_tree.h"

namespace tools {

// Returns ticktape(1): every command with its arguments, options and examples. Uses man(7) macros.
std::string ManPage(const Command& program);

}  // namespace tools

#endif  // TOOLS_CLI_HELP_MAN_PAGE_H_
