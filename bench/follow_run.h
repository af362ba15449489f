// A journal that is followed by another process, measured: commands come one by one after a pause,
// and each line that the follower prints is stamped as it arrives.
//
//   sequenced ──► acknowledged (--ack=disk) ──► printed by `ticktape cat --follow`, and read here
//      └────────────── after_sequenced ────────────┘
//                          └── after_acknowledged ──┘

#ifndef BENCH_FOLLOW_RUN_H_
#define BENCH_FOLLOW_RUN_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "bench/latency_histogram.h"
#include "bench/workload/workload.h"

namespace bench {

struct FollowOptions {
  std::string folder;                 // Where the journal is written; it is removed afterwards.
  std::vector<std::string> follower;  // Before the journal's name: a program that ends when the
                                      // journal is closed, and begins lines with their sequence.
  size_t count = 200;                 // Of lone commands.
  int64_t pause_nanos = 20'000'000;   // Before each: longer than the writer's heartbeat.
};

struct FollowResult {
  LatencyHistogram after_sequenced;     // Nanoseconds.
  LatencyHistogram after_acknowledged;  // 0: shown before the one who waited had woken up.
};

// Errors: the storage's; ABORTED when the follower ends early; DATA_LOSS when it leaves one out.
absl::StatusOr<FollowResult> RunFollow(const Workload& workload, const FollowOptions& options);

}  // namespace bench

#endif  // BENCH_FOLLOW_RUN_H_
