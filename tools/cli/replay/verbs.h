// The verbs that replay a journal and show the results.

#ifndef TOOLS_CLI_REPLAY_VERBS_H_
#define TOOLS_CLI_REPLAY_VERBS_H_

#include <memory>

#include "tools/cli/base/verb.h"

namespace tools {

std::unique_ptr<Verb> MakeReplayVerb();
std::unique_ptr<Verb> MakeInspectVerb();

}  // namespace tools

#endif  // TOOLS_CLI_REPLAY_VERBS_H_
