// All verbs, in the order in which help lists them.

#ifndef TOOLS_CLI_VERBS_H_
#define TOOLS_CLI_VERBS_H_

#include <memory>
#include <vector>

#include "tools/cli/base/verb.h"

namespace tools {

std::vector<std::unique_ptr<Verb>> MakeVerbs();

}  // namespace tools

#endif  // TOOLS_CLI_VERBS_H_
