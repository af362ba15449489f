// The verbs for golden fixtures and for schema compatibility.

#ifndef TOOLS_CLI_GOLDEN_VERBS_H_
#define TOOLS_CLI_GOLDEN_VERBS_H_

#include <memory>

#include "tools/cli/base/verb.h"

namespace tools {

std::unique_ptr<Verb> MakeGoldenVerb();
std::unique_ptr<Verb> MakeSchemaVerb();

}  // namespace tools

#endif  // TOOLS_CLI_GOLDEN_VERBS_H_
