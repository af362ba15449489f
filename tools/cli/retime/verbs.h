// The verb that measures how long an engine takes to run a log.

#ifndef TOOLS_CLI_RETIME_VERBS_H_
#define TOOLS_CLI_RETIME_VERBS_H_

#include <functional>
#include <memory>

#include "replay/engines.h"
#include "replay/machine.h"
#include "tools/cli/base/verb.h"

namespace tools {

// Creates a new machine at every call.
using EngineFactory = std::function<std::unique_ptr<replay::Machine>(replay::EngineKind)>;

std::unique_ptr<Verb> MakeRetimeVerb();

// For programs that plant a slowdown: the verb that measures the machines of `make_machine` instead
// of those of the journal's application.
std::unique_ptr<Verb> MakeRetimeVerb(EngineFactory make_machine);

}  // namespace tools

#endif  // TOOLS_CLI_RETIME_VERBS_H_
