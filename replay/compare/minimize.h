// A failing log made small: delta debugging that keeps a log meaningful.
//
//   1,000,000 commands
//     │  cut behind the failure; the book before it entered anew instead of what led to it
//     │  whole order lives · accounts · markets · stretches of time · single commands
//     │  numbers: quantities, prices, times, flags
//     ▼
//   9 commands that fail in the same way (failure_class.h)
//
// Every candidate is renumbered and tried. Deterministic: the same log, engines and seed give the
// same result, unless time runs out.

#ifndef REPLAY_COMPARE_MINIMIZE_H_
#define REPLAY_COMPARE_MINIMIZE_H_

#include <cstddef>
#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"
#include "replay/compare/failure_test.h"
#include "replay/log_source.h"

namespace replay {

struct MinimizeOptions {
  // Which of equally good things is tried first. Another seed may find another small log.
  uint64_t seed = 0;
  // Asked before each candidate and each 4,096 commands of one; null: never. What has been reached
  // by then is the result.
  std::function<bool()> out_of_time = nullptr;
  // After each candidate: commands left, candidates so far; may be null.
  std::function<void(size_t, uint64_t)> progress = nullptr;
};

struct Minimized {
  Log log;  // Fails at its last command.
  uint64_t tried = 0;
  bool complete = true;  // False: time ran out, and it could be smaller.
};

// REQUIRES: `log` fails in the way of `test`, and at its place if that is known; else
// FAILED_PRECONDITION. Errors: those of `test`.
absl::StatusOr<Minimized> Minimize(Log log, FailureTest& test, const MinimizeOptions& options = {});

}  // namespace replay

#endif  // REPLAY_COMPARE_MINIMIZE_H_
