// All verbs, in the order in which the help lists them.

#ifndef TOOLS_CLI_VERBS_H_
#define TOOLS_CLI_VERBS_H_

#include <memory>
#include <vector>

#include "tools/cli/verb.h"

namespace tools {

std::unique_ptr<Verb> MakeDemoVerb();
std::unique_ptr<Verb> MakeRecordVerb();
std::unique_ptr<Verb> MakeInfoVerb();
std::unique_ptr<Verb> MakeStatsVerb();
std::unique_ptr<Verb> MakeCatVerb();
std::unique_ptr<Verb> MakeReplayVerb();
std::unique_ptr<Verb> MakeVerifyVerb();
std::unique_ptr<Verb> MakeInspectVerb();
std::unique_ptr<Verb> MakeRepairVerb();
std::unique_ptr<Verb> MakeRepackVerb();
std::unique_ptr<Verb> MakePruneVerb();
std::unique_ptr<Verb> MakeSnapshotVerb();
std::unique_ptr<Verb> MakeHoldVerb();
std::unique_ptr<Verb> MakeDoctorVerb();
std::unique_ptr<Verb> MakeDiffVerb();
std::unique_ptr<Verb> MakeBisectVerb();
std::unique_ptr<Verb> MakeMinimizeVerb();
std::unique_ptr<Verb> MakeRetimeVerb();
std::unique_ptr<Verb> MakeExportVerb();
std::unique_ptr<Verb> MakeFuzzVerb();
std::unique_ptr<Verb> MakeShellVerb();
std::unique_ptr<Verb> MakeEngineServerVerb();

std::vector<std::unique_ptr<Verb>> MakeVerbs();

}  // namespace tools

#endif  // TOOLS_CLI_VERBS_H_
