// Finds the first command from which on a user's program returns "bad", for
// `bisect --pred 'exec ./script'`.
//
//   script JOURNAL      a journal of the first N commands; exit code 0: good, 125: cannot say, any
//                       other: bad
//
// It bisects, so "bad" must not become good again; if it does, that is an error, unless every
// prefix is tried. Answers are saved to a file, so that an interrupted run does not repeat them.

#ifndef TOOLS_CLI_COMPARE_EXEC_BISECTION_H_
#define TOOLS_CLI_COMPARE_EXEC_BISECTION_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace tools {

// Not thread-safe.
class ExecBisection {
 public:
  // Whether the first `count` commands are bad. Errors: CANCELLED if the program cannot say.
  using Try = std::function<absl::StatusOr<bool>(uint64_t count)>;

  // `memory` is a file of earlier answers, created if it does not exist; empty: none are saved.
  ExecBisection(Try attempt, std::string memory) : try_(std::move(attempt)), memory_(memory) {}

  struct Step {
    uint64_t count = 0;
    bool is_bad = false;
    bool remembered = false;
  };

  // Returns the smallest count from which on the program returns "bad"; nullopt if it returns
  // "good" for `last`. Errors: those of the attempts; FAILED_PRECONDITION (bad, then good again;
  // use `exhaustive`).
  absl::StatusOr<std::optional<uint64_t>> FirstBad(uint64_t last, bool exhaustive);

  const std::vector<Step>& steps() const { return steps_; }

 private:
  absl::StatusOr<bool> IsBad(uint64_t count);
  absl::Status CheckMonotone(uint64_t first_bad, uint64_t last);
  absl::Status Remember() const;
  void Recall();

  const Try try_;
  const std::string memory_;
  std::map<uint64_t, bool> known_;
  std::vector<Step> steps_;
};

}  // namespace tools

#endif  // TOOLS_CLI_COMPARE_EXEC_BISECTION_H_
