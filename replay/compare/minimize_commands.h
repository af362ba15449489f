// Minimizes a failing log of the exchange: minimize.h, and what is known about orders.
//
//   1,000,000 commands
//     │  cut after the failure; replace the commands before it by ones that enter the book directly
//     │  remove whole order lives · accounts · markets · stretches of time · single commands
//     │  simplify numbers: quantities, prices, times, flags
//     ▼
//   9 commands that fail in the same way

#ifndef REPLAY_COMPARE_MINIMIZE_COMMANDS_H_
#define REPLAY_COMPARE_MINIMIZE_COMMANDS_H_

#include "absl/status/statusor.h"
#include "replay/compare/failure_check.h"
#include "replay/compare/minimize.h"
#include "replay/log_source.h"

namespace replay {

// As Minimize(). REQUIRES: `log` is the exchange's.
absl::StatusOr<Minimized> MinimizeCommands(Log log, FailureTest& test,
                                           const MinimizeOptions& options = {});

}  // namespace replay

#endif  // REPLAY_COMPARE_MINIMIZE_COMMANDS_H_
