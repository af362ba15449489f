// `ticktape retime` with other engines: for programs that plant a slowdown.

#ifndef TOOLS_CLI_RETIME_RETIME_VERB_H_
#define TOOLS_CLI_RETIME_RETIME_VERB_H_

#include <memory>

#include "tools/cli/base/verb.h"
#include "tools/cli/retime/retime_one_run.h"

namespace tools {

// `make_machine`: null for the machine of the journal's application.
std::unique_ptr<Verb> MakeRetimeVerbWith(EngineFactory make_machine);

}  // namespace tools

#endif  // TOOLS_CLI_RETIME_RETIME_VERB_H_
