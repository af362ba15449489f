// One run of one engine over one workload: checked, or timed.

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

// What an engine made of a workload: equal for all that keep the rules.
struct Outcome {
  RunDigests digests;
  EventTally tally;  // Of the timed part, as are the counts.
  uint64_t trades = 0;
  uint64_t rejections = 0;
  uint64_t live_orders = 0;  // At the end.
  uint64_t live_orders_most = 0;
  double timed_seconds = 0;  // With all digests taken: of no use as a number of its own.
};

// Called now and then with how many commands have been applied.
using ProgressListener = std::function<void(uint64_t)>;

// Applies all of it with every digest taken. `contender` is kReference or kFast.
Outcome CheckedRun(Contender contender, const RecordedWorkload& workload,
                   const ProgressListener& progress);

enum class Mode {
  kSame,     // Events into a ring on the same thread.
  kDrained,  // Events into a ring that a thread on the other core empties.
};

// Where the threads of kDrained run.
struct Cores {
  int engine = 0;
  int reader = 1;
};

struct TimedResult {
  double seconds = 0;                 // Of the timed part.
  EventTally tally;                   // Of the timed part; of kSame, the number of events alone.
  std::optional<RunDigests> digests;  // Of kDigested.
  std::optional<engine::Digest> state;
  double round_trip_nanos_before = 0;  // Of kDrained: how near the cores were.
  double round_trip_nanos_after = 0;
};

// The warm-up untimed, then the rest as fast as it goes.
TimedResult TimedRun(Contender contender, Mode mode, const RecordedWorkload& workload,
                     const Cores& cores);

}  // namespace bench

#endif  // BENCH_APPLY_RUN_H_
