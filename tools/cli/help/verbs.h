// The verbs that generate shell completions and the manual page.

#ifndef TOOLS_CLI_HELP_VERBS_H_
#define TOOLS_CLI_HELP_VERBS_H_

#include <memory>

#include "tools/cli/base/verb.h"

namespace tools {

std::unique_ptr<Verb> MakeCompletionsVerb();
std::unique_ptr<Verb> MakeManVerb();

}  // namespace tools

#endif  // TOOLS_CLI_HELP_VERBS_H_
