// Runs one verb as the program does, with its output caught.

#ifndef TOOLS_CLI_TESTING_RUN_VERB_H_
#define TOOLS_CLI_TESTING_RUN_VERB_H_

#include <memory>
#include <string>
#include <vector>

#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verb.h"

namespace tools {

struct VerbResult {
  ExitCode code = ExitCode::kOk;
  std::string output;
  std::string error;  // Notes and the error's message.
};

// `words` follow the verb's name.
VerbResult RunVerb(std::unique_ptr<Verb> verb, const std::vector<std::string>& words);

}  // namespace tools

#endif  // TOOLS_CLI_TESTING_RUN_VERB_H_
