// One verb of the command line: `ticktape <verb> ...`. One file each; verbs.cc lists them.

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

  // What `--help` adds below the options: at least two examples that can be pasted.
  virtual const char* examples() const = 0;

  // Adds the verb's options to its own command line. --json and --quiet are there already.
  virtual void Declare(Options& options) = 0;

  // Does it. An error is printed by main() and turned into an exit code (exit_code.h); everything
  // else the verb has printed itself.
  virtual absl::StatusOr<ExitCode> Run(Console& console) = 0;
};

}  // namespace tools

#endif  // TOOLS_CLI_BASE_VERB_H_
