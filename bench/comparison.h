// Several engines over one workload: checked against the reference first, then timed in turns.

#ifndef BENCH_COMPARISON_H_
#define BENCH_COMPARISON_H_

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
  int run_count = 5;  // Of each; the reference runs once, on one thread. REQUIRES: at least 1.
  Cores cores;
};

// One engine in one mode.
struct ComparisonRow {
  Contender contender = {};
  Mode mode = {};
  std::vector<TimedResult> runs;

  // Of the runs that may be compared (see cores_kind): nanoseconds per command.
  double median_nanos = 0;
  double fastest_nanos = 0;
  double slowest_nanos = 0;
  size_t compared_count = 0;
};

enum class CoresKind { kNear, kFar, kMixed };
absl::string_view NameOf(CoresKind kind);

struct Comparison {
  Outcome outcome;                    // On which all agree.
  bool reference_agrees = false;      // False: it was not asked.
  CoresKind cores_kind = {};          // The runs of kDrained that the medians are of.
  double round_trip_nanos_least = 0;  // Between the cores, over all runs of kDrained.
  double round_trip_nanos_most = 0;
  std::vector<ComparisonRow> rows;
};

// Says what is being done, and how far of how much it is.
using Narrator = std::function<void(absl::string_view what, uint64_t done, uint64_t total)>;

// Errors: ABORTED when an engine says something else than the reference, or than itself before;
// the message says which engine, and what of it.
absl::StatusOr<Comparison> Compare(const RecordedWorkload& workload,
                                   const ComparisonOptions& options, const OutcomeCache& cache,
                                   const Narrator& narrator);

}  // namespace bench

#endif  // BENCH_COMPARISON_H_
