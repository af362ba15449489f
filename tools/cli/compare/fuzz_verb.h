// ticktape fuzz with a candidate of one's own: how its tests break an exchange.

#ifndef TOOLS_CLI_COMPARE_FUZZ_VERB_H_
#define TOOLS_CLI_COMPARE_FUZZ_VERB_H_

#include <memory>

#include "engine/core/testing/differential.h"
#include "tools/cli/base/verb.h"

namespace tools {

// MakeFuzzVerb() of verbs.h compares the exchange itself.
std::unique_ptr<Verb> MakeFuzzVerb(engine::CandidateFactory make_candidate);

}  // namespace tools

#endif  // TOOLS_CLI_COMPARE_FUZZ_VERB_H_
