#include "tools/cli/verbs.h"

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
  verbs.push_back(MakeExportVerb());
  verbs.push_back(MakeFuzzVerb());
  verbs.push_back(MakeShellVerb());
  return verbs;
}

}  // namespace tools
