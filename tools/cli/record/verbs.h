// The verbs that write a journal.

#ifndef TOOLS_CLI_RECORD_VERBS_H_
#define TOOLS_CLI_RECORD_VERBS_H_

#include <memory>

#include "tools/cli/base/verb.h"

namespace tools {

std::unique_ptr<Verb> MakeDemoVerb();
std::unique_ptr<Verb> MakeRecordVerb();
std::unique_ptr<Verb> MakeShellVerb();

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_VERBS_H_
