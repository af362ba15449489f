// Compares several engines on one workload: checked against the reference first, then timed in
// alternation.

#ifndef BENCH_COMPARISON_H_
#define BENCH_COMPARISON_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "bench/apply_run.h"
#include "bench/contenders.h"
#include "bench/outcome_cache.h"
#include "bench/recorded_workload.h"

namespace bench {

struct ComparisonOptions {
  std::vector<Contender> contenders;
  std::vector<Mode> modes;
  int run_count = 5;  // Per row; the reference runs once, on one thread. At least 1.
  Cores cores;
};

// The results of one engine in one mode.
struct ComparisonRow {
  Contender contender = {};
  Mode mode = {};
  std::vector<TimedResult> runs;

  // Nanoseconds per command over the runs that are comparable (see cores_kind).
  double median_nanos = 0;
  double fastest_nanos = 0;
  double slowest_nanos = 0;
  size_t compared_count = 0;
};

enum class CoresKind { kNear, kFar, kMixed };
absl::string_view NameOf(CoresKind kind);

struct Comparison {
  Outcome outcome;                    // The outcome that all engines agree on.
  bool reference_agrees = false;      // False: the reference did not run.
  CoresKind cores_kind = {};          // Which kDrained runs the medians are taken from.
  double round_trip_nanos_least = 0;  // Between the cores, over all kDrained runs.
  double round_trip_nanos_most = 0;
  std::vector<ComparisonRow> rows;
};

// Receives the current step and its progress.
using Narrator = std::function<void(absl::string_view what, uint64_t done, uint64_t total)>;

// Errors: ABORTED when an engine differs from the reference or from its own checked run; the
// message names the engine and what differs.
absl::StatusOr<Comparison> Compare(const RecordedWorkload& workload,
                                   const ComparisonOptions& options, const OutcomeCache& cache,
                                   const Narrator& narrator);

}  // namespace bench

#endif  // BENCH_COMPARISON_H_
