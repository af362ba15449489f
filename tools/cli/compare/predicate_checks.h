// Single checks for the predicates of bisect and minimize: of a book, and by a user's program.

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

// Returns how the book of `market`, seen from outside, violates the invariant; empty if it does
// not. "E2": not crossed. "E3": priority ascends along each queue.
absl::StatusOr<std::string> WrongWithBook(replay::Subject& subject, engine::MarketId market,
                                          absl::string_view invariant);

// A program that takes a journal and returns good (exit code 0), bad, or cannot say (125). Not
// thread-safe.
class LogProgram {
 public:
  // `command` is run by the shell, with the journal's path as its last argument.
  static absl::StatusOr<std::unique_ptr<LogProgram>> Make(const std::string& command);

  // For Make().
  LogProgram(const std::string& command, std::unique_ptr<TemporaryDirectory> folder);

  // Errors: the storage's; those of starting the program, INVALID_ARGUMENT if the shell cannot run
  // it.
  absl::StatusOr<ExecBisection::Answer> Judge(const replay::Log& log);

  const std::string& command() const { return command_; }

 private:
  const std::string command_;
  const std::unique_ptr<TemporaryDirectory> folder_;
};

}  // namespace tools

#endif  // TOOLS_CLI_COMPARE_PREDICATE_CHECKS_H_
