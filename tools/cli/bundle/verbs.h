// `ticktape bundle`: packs a range of a journal, with the state before it, into one file.

#ifndef TOOLS_CLI_BUNDLE_VERBS_H_
#define TOOLS_CLI_BUNDLE_VERBS_H_

#include <memory>

#include "tools/cli/base/verb.h"

namespace tools {

std::unique_ptr<Verb> MakeBundleVerb();

}  // namespace tools

#endif  // TOOLS_CLI_BUNDLE_VERBS_H_
