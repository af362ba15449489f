#include "tools/cli/verbs.h"

#include <memory>
#include <vector>

#include "tools/cli/bundle/verbs.h"
#include "tools/cli/compare/verbs.h"
#include "tools/cli/golden/verbs.h"
#include "tools/cli/help/verbs.h"
#include "tools/cli/maintenance/verbs.h"
#include "tools/cli/record/verbs.h"
#include "tools/cli/replay/verbs.h"
#include "tools/cli/retime/verbs.h"
#include "tools/cli/show/verbs.h"
#include "tools/cli/slice/verbs.h"
#include "tools/cli/snapshot/verbs.h"

namespace tools {

std::vector<std::unique_ptr<Verb>> MakeVerbs() {
  std::vector<std::unique_ptr<Verb>> verbs;
  verbs.push_back(MakeDemoVerb());
  verbs.push_back(MakeRecordVerb());
  verbs.push_back(MakeInfoVerb());
  verbs.push_back(MakeStatsVerb());
  verbs.push_back(MakeCatVerb());
  verbs.push_back(MakeReplayVerb());
  verbs.push_back(MakeVerifyVerb());
  verbs.push_back(MakeInspectVerb());
  verbs.push_back(MakeRepairVerb());
  verbs.push_back(MakeRepackVerb());
  verbs.push_back(MakeArchiveVerb());
  verbs.push_back(MakePruneVerb());
  verbs.push_back(MakeSnapshotVerb());
  verbs.push_back(MakeHoldVerb());
  verbs.push_back(MakeDoctorVerb());
  verbs.push_back(MakeDiffVerb());
  verbs.push_back(MakeBisectVerb());
  verbs.push_back(MakeMinimizeVerb());
  verbs.push_back(MakeRetimeVerb());
  verbs.push_back(MakeGoldenVerb());
  verbs.push_back(MakeBundleVerb());
  verbs.push_back(MakeSchemaVerb());
  verbs.push_back(MakeExportVerb());
  verbs.push_back(MakeCutVerb());
  verbs.push_back(MakeSplitVerb());
  verbs.push_back(MakeMergeVerb());
  verbs.push_back(MakeFuzzVerb());
  verbs.push_back(MakeShellVerb());
  verbs.push_back(MakeEngineServerVerb());
  verbs.push_back(MakeCompletionsVerb());
  verbs.push_back(MakeManVerb());
  return verbs;
}

}  // namespace tools
