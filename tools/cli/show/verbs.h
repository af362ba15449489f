// The verbs that read the contents of a journal.

#ifndef TOOLS_CLI_SHOW_VERBS_H_
#define TOOLS_CLI_SHOW_VERBS_H_

#include <memory>

#include "tools/cli/base/verb.h"

namespace tools {

std::unique_ptr<Verb> MakeInfoVerb();
std::unique_ptr<Verb> MakeStatsVerb();
std::unique_ptr<Verb> MakeCatVerb();
std::unique_ptr<Verb> MakeExportVerb();

}  // namespace tools

#endif  // TOOLS_CLI_SHOW_VERBS_H_
