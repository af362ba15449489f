// Whether output goes to a terminal.

#ifndef TOOLS_OS_TERMINAL_H_
#define TOOLS_OS_TERMINAL_H_

namespace tools {

// Returns true if standard output (or standard error) is a terminal that shows colours. NO_COLOR
// and TERM=dumb disable them.
bool StandardOutputIsTerminal();
bool StandardErrorIsTerminal();

}  // namespace tools

#endif  // TOOLS_OS_TERMINAL_H_
