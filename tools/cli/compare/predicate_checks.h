// What the predicates of bisect and minimize ask, once: of a book, and of a user's own program.

#ifndef TOOLS_CLI_COMPARE_PREDICATE_CHECKS_H_
#define TOOLS_CLI_COMPARE_PREDICATE_CHECKS_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/types/ids.h"
#include "replay/compare/subject.h"
#include "replay/log_source.h"
#include "tools/cli/compare/exec_bisection.h"
#include "tools/os/temporary_directory.h"

namespace tools {

// What is wrong with the book of `market`, seen from the outside; empty where it is as it must be.
// "E2": not crossed. "E3": priority rises along a queue.
absl::StatusOr<std::string> WrongWithBook(replay::Subject& subject, engine::MarketId market,
                                          absl::string_view invariant);

// A program that is given a journal and says good (exit code 0), bad, or that it cannot say (125).
// Not thread-safe.
class LogProgram {
 public:
  // `command` is for the shell; the journal's path becomes its last argument.
  static absl::StatusOr<std::unique_ptr<LogProgram>> Make(const std::string& command);

  // For Make().
  LogProgram(const std::string& command, std::unique_ptr<TemporaryDirectory> folder);

  // Errors: the storage's, those of starting it.
  absl::StatusOr<ExecBisection::Answer> Judge(const replay::Log& log);

  const std::string& command() const { return command_; }

 private:
  const std::string command_;
  const std::unique_ptr<TemporaryDirectory> folder_;
};

}  // namespace tools

#endif  // TOOLS_CLI_COMPARE_PREDICATE_CHECKS_H_
