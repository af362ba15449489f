// Identifies the executable: builds of two commits may have the same BuildId(), but their bytes
// differ.

#ifndef TOOLS_CLI_BASE_EXECUTABLE_ID_H_
#define TOOLS_CLI_BASE_EXECUTABLE_ID_H_

#include <string>

namespace tools {

// Returns BuildId() and a digest of the program's file.
std::string ExecutableId();

}  // namespace tools

#endif  // TOOLS_CLI_BASE_EXECUTABLE_ID_H_
