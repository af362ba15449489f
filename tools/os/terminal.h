// Whether a person is watching.

#ifndef TOOLS_OS_TERMINAL_H_
#define TOOLS_OS_TERMINAL_H_

namespace tools {

// Standard output, or standard error, is a terminal that shows colours; NO_COLOR and TERM=dumb say
// no.
bool StandardOutputIsTerminal();
bool StandardErrorIsTerminal();

}  // namespace tools

#endif  // TOOLS_OS_TERMINAL_H_
