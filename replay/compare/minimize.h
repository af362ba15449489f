// Minimizes a failing log: delta debugging that keeps the log meaningful.
//
//   1,000,000 records
//     │  cut after the failure; remove stretches of time, then single records
//     ▼
//   9 records that fail in the same way (failure.h)
//
// Every candidate is renumbered and tried. Deterministic: the same log, machines and seed give the
// same result, unless time runs out. Of the exchange's logs more is known:
//
//     │  cut after the failure; replace the commands before it by ones that enter the book directly
//     │  remove whole order lives · accounts · markets · stretches of time · single commands
//     ▼  simplify numbers: quantities, prices, times, flags

#ifndef REPLAY_COMPARE_MINIMIZE_H_
#define REPLAY_COMPARE_MINIMIZE_H_

#include <cstddef>
#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"
#include "replay/compare/failure.h"
#include "replay/log_source.h"

namespace replay {

struct MinimizeOptions {
  // Chooses which of several equal candidates is tried first. Another seed may find another small
  // log.
  uint64_t seed = 0;
  // Called before each candidate and every 4,096 records of one, but not while another program
  // processes a whole log; null: no limit. Once it returns true, the best log so far is the result.
  std::function<bool()> out_of_time = nullptr;
  // Called after each candidate with the records left and the candidates tried; may be null.
  std::function<void(size_t, uint64_t)> progress = nullptr;
};

struct Minimized {
  Log log;  // Fails at its last record.
  uint64_t tried = 0;
  bool complete = true;  // False: time ran out, and a smaller log may exist.
};

// REQUIRES: `log` fails in the way of `test`, at test.fails_at. Errors: FAILED_PRECONDITION if it
// does not; those of `test`.
absl::StatusOr<Minimized> Minimize(Log log, const FailureTest& test,
                                   const MinimizeOptions& options = {});

// The same for a log of the exchange.
absl::StatusOr<Minimized> MinimizeCommands(Log log, const FailureTest& test,
                                           const MinimizeOptions& options = {});

}  // namespace replay

#endif  // REPLAY_COMPARE_MINIMIZE_H_
