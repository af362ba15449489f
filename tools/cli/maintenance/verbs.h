// The verbs that check, repair and prune journals.

#ifndef TOOLS_CLI_MAINTENANCE_VERBS_H_
#define TOOLS_CLI_MAINTENANCE_VERBS_H_

#include <memory>

#include "tools/cli/base/verb.h"

namespace tools {

std::unique_ptr<Verb> MakeVerifyVerb();
std::unique_ptr<Verb> MakeRepairVerb();
std::unique_ptr<Verb> MakeRepackVerb();
std::unique_ptr<Verb> MakeArchiveVerb();
std::unique_ptr<Verb> MakePruneVerb();
std::unique_ptr<Verb> MakeHoldVerb();
std::unique_ptr<Verb> MakeDoctorVerb();

}  // namespace tools

#endif  // TOOLS_CLI_MAINTENANCE_VERBS_H_
