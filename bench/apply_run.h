// Runs one engine once over one workload: checked or timed.

#ifndef BENCH_APPLY_RUN_H_
#define BENCH_APPLY_RUN_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "bench/contenders.h"
#include "bench/event_tally.h"
#include "bench/recorded_workload.h"
#include "engine/base/digest.h"

namespace bench {

// The result of a workload. Equal for all engines with the same rules, except the time.
struct Outcome {
  RunDigests digests;
  EventTally tally;  // Of the timed part, like trades and rejections.
  uint64_t trades = 0;
  uint64_t rejections = 0;
  uint64_t live_orders = 0;  // At the end of the run.
  uint64_t live_orders_most = 0;
  double timed_seconds = 0;  // Includes all digests, so it is not a benchmark result.
};

// Called periodically with the number of commands applied.
using ProgressListener = std::function<void(uint64_t)>;

// Applies the whole workload and takes every digest. `contender` is kReference or kFast.
Outcome CheckedRun(Contender contender, const RecordedWorkload& workload,
                   const ProgressListener& progress);

enum class Mode {
  kSame,     // Events go into a ring on the same thread.
  kDrained,  // Events go into a ring that a thread on another core empties.
};

// The cores for the threads of kDrained.
struct Cores {
  int engine = 0;
  int reader = 1;
};

struct TimedResult {
  double seconds = 0;                 // Of the timed part.
  EventTally tally;                   // Of the timed part; for kSame only the count.
  std::optional<RunDigests> digests;  // For kDigested only.
  std::optional<engine::Digest> state;
  double round_trip_nanos_before = 0;  // For kDrained: the distance of the cores.
  double round_trip_nanos_after = 0;
};

// Applies the warm-up untimed, then times the rest.
TimedResult TimedRun(Contender contender, Mode mode, const RecordedWorkload& workload,
                     const Cores& cores);

}  // namespace bench

#endif  // BENCH_APPLY_RUN_H_
