// The program's exit codes. Stable: scripts and `git bisect run` rely on them.

#ifndef TOOLS_CLI_BASE_EXIT_CODE_H_
#define TOOLS_CLI_BASE_EXIT_CODE_H_

#include <array>
#include <utility>

#include "absl/status/status.h"

namespace tools {

enum class ExitCode {
  kOk = 0,
  kDifferent = 1,      // A difference, a divergence, a mismatch was found; admin: refused.
  kUsage = 2,          // The command line is invalid.
  kDamaged = 3,        // The input is damaged or malformed.
  kTorn = 4,           // verify: a torn tail, which the next writer truncates.
  kNotComparable = 5,  // The environment or the baseline does not allow a comparison.
  kIo = 6,             // Reading or writing failed.
  kOutOfTime = 7,      // minimize: the time ran out; the smallest log so far is written.
  kSkip = 125,         // bisect: this build cannot answer; `git bisect run` tries another.
  kInterrupted = 130,  // record: ended by Ctrl-C or SIGTERM; what came before is kept.
};

struct ExitCodeMeaning {
  ExitCode code;
  const char* meaning;
  const char* verb = "";  // The only verb that has it; empty: all may.
};

// For help and manual pages.
inline constexpr std::array<ExitCodeMeaning, 10> kExitCodes = {{
    {ExitCode::kOk, "fine"},
    {ExitCode::kDifferent, "a difference was found, or the exchange refused"},
    {ExitCode::kUsage, "the command line is wrong"},
    {ExitCode::kDamaged, "the input is damaged or malformed"},
    {ExitCode::kTorn, "the tail is torn; the next writer truncates it", "verify"},
    {ExitCode::kNotComparable, "the environment or the baseline allows no comparison"},
    {ExitCode::kIo, "reading or writing failed"},
    {ExitCode::kOutOfTime, "the time ran out; the smallest log so far is written", "minimize"},
    {ExitCode::kSkip, "this build cannot answer; git bisect run tries another", "bisect"},
    {ExitCode::kInterrupted, "ended by Ctrl-C or SIGTERM; what came before is kept", "record"},
}};

// The errors that have an exit code of their own; all others are kIo.
inline constexpr std::array<std::pair<absl::StatusCode, ExitCode>, 4> kErrorExitCodes = {
    {{absl::StatusCode::kInvalidArgument, ExitCode::kUsage},
     {absl::StatusCode::kOutOfRange, ExitCode::kUsage},
     {absl::StatusCode::kDataLoss, ExitCode::kDamaged},
     {absl::StatusCode::kUnimplemented, ExitCode::kNotComparable}}};

constexpr ExitCode ExitCodeOf(absl::StatusCode code) {
  for (const auto& [error, exit_code] : kErrorExitCodes) {
    if (error == code) return exit_code;
  }
  return code == absl::StatusCode::kOk ? ExitCode::kOk : ExitCode::kIo;
}

// Inverts ExitCodeOf(), for the exit code of another ticktape; ABORTED for every other code.
constexpr absl::StatusCode StatusCodeOf(int code) {
  for (const auto& [error, exit_code] : kErrorExitCodes) {
    if (static_cast<int>(exit_code) == code) return error;
  }
  return absl::StatusCode::kAborted;
}

}  // namespace tools

#endif  // TOOLS_CLI_BASE_EXIT_CODE_H_
