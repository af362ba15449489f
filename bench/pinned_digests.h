// The digests of the workloads of seed 1. They identify what was measured, and show whether this
// machine generated and matched the same.

#ifndef BENCH_PINNED_DIGESTS_H_
#define BENCH_PINNED_DIGESTS_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "engine/workload/catalogue.h"

namespace bench {

struct PinnedDigests {
  absl::string_view workload;
  absl::string_view log;
  absl::string_view trace;  // Includes the state at every checkpoint and at the end.
  absl::string_view state;
};

// Null: not pinned.
const PinnedDigests* FindPinned(absl::string_view workload, uint32_t seed, WorkloadSize size);

}  // namespace bench

#endif  // BENCH_PINNED_DIGESTS_H_
