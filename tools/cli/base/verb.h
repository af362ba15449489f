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
  // `summary`: one line, for the list of verbs. `examples`: printed by `--help` below the options;
  // at least two that can be pasted. All three are literals.
  Verb(const char* name, const char* summary, const char* examples)
      : name_(name), summary_(summary), examples_(examples) {}
  virtual ~Verb() = default;

  const char* name() const { return name_; }
  const char* summary() const { return summary_; }
  const char* examples() const { return examples_; }

  // Adds the verb's options. --json and --quiet exist already.
  virtual void Declare(Options& options) = 0;

  // Runs the verb. main() prints a returned error and turns it into an exit code (exit_code.h); the
  // verb prints everything else itself.
  virtual absl::StatusOr<ExitCode> Run(Console& console) = 0;

 private:
  const char* const name_;
  const char* const summary_;
  const char* const examples_;
};

}  // namespace tools

#endif  // TOOLS_CLI_BASE_VERB_H_
