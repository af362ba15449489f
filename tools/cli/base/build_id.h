// The names of this build.

#ifndef TOOLS_CLI_BASE_BUILD_ID_H_
#define TOOLS_CLI_BASE_BUILD_ID_H_

#include <string>

namespace tools {

// "ticktape 0.1.0, g++ 12.2.0, optimised".
std::string BuildId();

// Returns BuildId() and a digest of the program's file.
std::string ExecutableId();

}  // namespace tools

#endif  // TOOLS_CLI_BASE_BUILD_ID_H_
