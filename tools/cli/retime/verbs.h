// The verb that measures how long an engine takes to run a log.

#ifndef TOOLS_CLI_RETIME_VERBS_H_
#define TOOLS_CLI_RETIME_VERBS_H_

#include <memory>

#include "tools/cli/base/verb.h"

namespace tools {

std::unique_ptr<Verb> MakeRetimeVerb();

}  // namespace tools

#endif  // TOOLS_CLI_RETIME_VERBS_H_
