// Computes the open-loop latencies of the disk alone and of a core alone, which bound those of the
// whole path.
//
// Commands that are due at fixed times wait for the work in progress, so a stall counts for its
// whole duration. The path cannot be better than these bounds; a plain median of sync times does
// not show them.

#ifndef BENCH_OPEN_LOOP_H_
#define BENCH_OPEN_LOOP_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "bench/latency_histogram.h"

namespace bench {

// Returns the latencies, in nanoseconds, of commands that arrive at any time while the disk only
// does these syncs, one after the other: the rest of the sync in progress plus the next one.
LatencyHistogram OpenLoopOfSyncs(const std::vector<uint64_t>& syncs);

// Returns the latencies of commands that arrive at any time at a thread on `core` that only waits
// for them: the time for which the system uses the core for something else. Takes `seconds`
// seconds.
// Errors: RESOURCE_EXHAUSTED if no thread can be started.
absl::StatusOr<LatencyHistogram> OpenLoopOfCore(int core, double seconds);

}  // namespace bench

#endif  // BENCH_OPEN_LOOP_H_
