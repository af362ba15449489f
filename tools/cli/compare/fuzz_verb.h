// `ticktape fuzz` with another candidate engine: for tests that plant a bug in an exchange.

#ifndef TOOLS_CLI_COMPARE_FUZZ_VERB_H_
#define TOOLS_CLI_COMPARE_FUZZ_VERB_H_

#include <memory>

#include "engine/core/testing/differential.h"
#include "tools/cli/base/verb.h"

namespace tools {

// MakeFuzzVerb() in verbs.h tests the exchange itself.
std::unique_ptr<Verb> MakeFuzzVerb(engine::CandidateFactory make_candidate);

}  // namespace tools

#endif  // TOOLS_CLI_COMPARE_FUZZ_VERB_H_
