// One verb of the command line: `ticktape <verb> ...`. One file per verb; MakeVerbs()
// lists them.

#ifndef TOOLS_CLI_BASE_VERB_H_
#define TOOLS_CLI_BASE_VERB_H_

#include "absl/status/statusor.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/exit_code.h"

namespace tools {

class Options;

class Verb {
 public:
  virtual ~Verb() = default;

  virtual const char* name() const = 0;

  // One line, for the list of verbs.
  virtual const char* summary() const = 0;

  // Printed by `--help` below the options: at least two examples that can be pasted.
  virtual const char* examples() const = 0;

  // Adds the verb's options. --json and --quiet exist already.
  virtual void Declare(Options& options) = 0;

  // Runs the verb. main() prints a returned error and turns it into an exit code (exit_code.h); the
  // verb prints everything else itself.
  virtual absl::StatusOr<ExitCode> Run(Console& console) = 0;
};

}  // namespace tools

#endif  // TOOLS_CLI_BASE_VERB_H_
