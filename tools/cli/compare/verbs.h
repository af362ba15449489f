// The verbs that compare engines on a log.

#ifndef TOOLS_CLI_COMPARE_VERBS_H_
#define TOOLS_CLI_COMPARE_VERBS_H_

#include <memory>

#include "tools/cli/base/verb.h"

namespace tools {

std::unique_ptr<Verb> MakeDiffVerb();
std::unique_ptr<Verb> MakeBisectVerb();
std::unique_ptr<Verb> MakeMinimizeVerb();
std::unique_ptr<Verb> MakeFuzzVerb();
std::unique_ptr<Verb> MakeEngineServerVerb();

}  // namespace tools

#endif  // TOOLS_CLI_COMPARE_VERBS_H_
