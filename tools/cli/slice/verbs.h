// The verbs that make journals from journals.

#ifndef TOOLS_CLI_SLICE_VERBS_H_
#define TOOLS_CLI_SLICE_VERBS_H_

#include <memory>

#include "tools/cli/base/verb.h"

namespace tools {

std::unique_ptr<Verb> MakeCutVerb();
std::unique_ptr<Verb> MakeSplitVerb();
std::unique_ptr<Verb> MakeMergeVerb();

}  // namespace tools

#endif  // TOOLS_CLI_SLICE_VERBS_H_
