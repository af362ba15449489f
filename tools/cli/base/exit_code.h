// The program's exit codes. Stable: scripts and `git bisect run` rely on them.

#ifndef TOOLS_CLI_BASE_EXIT_CODE_H_
#define TOOLS_CLI_BASE_EXIT_CODE_H_

#include "absl/status/status.h"

namespace tools {

enum class ExitCode {
  kOk = 0,
  kDifferent = 1,      // A difference, a divergence, a mismatch was found.
  kUsage = 2,          // The command line is invalid.
  kDamaged = 3,        // The input is damaged or malformed.
  kTorn = 4,           // verify: a torn tail, which the next writer truncates.
  kNotComparable = 5,  // The environment or the baseline does not allow a comparison.
  kIo = 6,             // Reading or writing failed.
  kSkip = 125,         // bisect: this build cannot answer; `git bisect run` tries another.
};

// INVALID_ARGUMENT and OUT_OF_RANGE are kUsage, DATA_LOSS is kDamaged, UNIMPLEMENTED is
// kNotComparable, all other errors are kIo.
constexpr ExitCode ExitCodeOf(absl::StatusCode code) {
  switch (code) {
    case absl::StatusCode::kOk:
      return ExitCode::kOk;
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kOutOfRange:
      return ExitCode::kUsage;
    case absl::StatusCode::kDataLoss:
      return ExitCode::kDamaged;
    case absl::StatusCode::kUnimplemented:
      return ExitCode::kNotComparable;
    default:
      return ExitCode::kIo;
  }
}

// Inverts ExitCodeOf(), for the exit code of another ticktape; ABORTED for every other code.
constexpr absl::StatusCode StatusCodeOf(int exit_code) {
  switch (static_cast<ExitCode>(exit_code)) {
    case ExitCode::kUsage:
      return absl::StatusCode::kInvalidArgument;
    case ExitCode::kDamaged:
      return absl::StatusCode::kDataLoss;
    case ExitCode::kNotComparable:
      return absl::StatusCode::kUnimplemented;
    default:
      return absl::StatusCode::kAborted;
  }
}

}  // namespace tools

#endif  // TOOLS_CLI_BASE_EXIT_CODE_H_
