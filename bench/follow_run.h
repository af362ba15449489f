// Measures the latency to another process that follows a journal: single commands are appended
// after a pause each, and every line that the follower prints is timestamped on arrival.
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
#include "engine/workload/workload.h"

namespace bench {

struct FollowOptions {
  std::string folder;  // Where the journal is written; it is removed afterwards.
  // The follower's command line without the journal's name, which comes last. The program ends when
  // the journal is closed; each line of its output begins with a sequence number.
  std::vector<std::string> follower;
  size_t count = 200;                // The number of single commands.
  int64_t pause_nanos = 20'000'000;  // Before each: longer than the writer's heartbeat.
};

struct FollowResult {
  LatencyHistogram after_sequenced;     // Nanoseconds.
  LatencyHistogram after_acknowledged;  // 0: printed before the waiting thread had woken up.
};

// Errors: the storage's; ABORTED when the follower ends early; DATA_LOSS when it omits a command.
absl::StatusOr<FollowResult> RunFollow(const Workload& workload, const FollowOptions& options);

}  // namespace bench

#endif  // BENCH_FOLLOW_RUN_H_
