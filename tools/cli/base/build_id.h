// The name of this build, as journals record it.

#ifndef TOOLS_CLI_BASE_BUILD_ID_H_
#define TOOLS_CLI_BASE_BUILD_ID_H_

#include <string>

namespace tools {

// "ticktape 0.1.0, g++ 12.2.0, optimised".
std::string BuildId();

}  // namespace tools

#endif  // TOOLS_CLI_BASE_BUILD_ID_H_
