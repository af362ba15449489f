// `ticktape snapshot`.

#ifndef TOOLS_CLI_SNAPSHOT_VERBS_H_
#define TOOLS_CLI_SNAPSHOT_VERBS_H_

#include <memory>

#include "tools/cli/base/verb.h"

namespace tools {

std::unique_ptr<Verb> MakeSnapshotVerb();

}  // namespace tools

#endif  // TOOLS_CLI_SNAPSHOT_VERBS_H_
