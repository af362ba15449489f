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

// `make_machine` is for programs that plant a slowdown; null: the machine of the journal's
// application.
std::unique_ptr<Verb> MakeRetimeVerb(EngineFactory make_machine = nullptr);

}  // namespace tools

#endif  // TOOLS_CLI_RETIME_VERBS_H_
