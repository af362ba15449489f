// Which executable this is: builds of two commits say the same of themselves (build_id.h), but are
// not the same bytes.

#ifndef TOOLS_CLI_BASE_EXECUTABLE_ID_H_
#define TOOLS_CLI_BASE_EXECUTABLE_ID_H_

#include <string>

namespace tools {

// BuildId() and a digest of the program's file.
std::string ExecutableId();

}  // namespace tools

#endif  // TOOLS_CLI_BASE_EXECUTABLE_ID_H_
