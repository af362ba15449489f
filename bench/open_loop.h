// What an open loop would see of what is under the whole path: of the disk alone, of a core alone.
//
// Commands that are due at their time wait for whatever is under way, so a stall counts for as long
// as it takes. The path cannot be better than these; a plain median of syncs hides them.

#ifndef BENCH_OPEN_LOOP_H_
#define BENCH_OPEN_LOOP_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "bench/latency_histogram.h"

namespace bench {

// What a command would wait for that came at any time while the disk did nothing but these syncs,
// in nanoseconds, one after the other: for the rest of the one that is under way, and for the next.
LatencyHistogram OpenLoopOfSyncs(const std::vector<uint64_t>& syncs);

// What a command would wait for that came at any time to a thread on that core which does nothing
// but wait for it: whenever the system has the core for something else. Takes that many seconds.
// Errors: RESOURCE_EXHAUSTED where there is no thread to be had.
absl::StatusOr<LatencyHistogram> OpenLoopOfCore(int core, double seconds);

}  // namespace bench

#endif  // BENCH_OPEN_LOOP_H_
