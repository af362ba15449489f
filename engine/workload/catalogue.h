// The workloads by name.

#ifndef ENGINE_WORKLOAD_CATALOGUE_H_
#define ENGINE_WORKLOAD_CATALOGUE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/workload/workload.h"

namespace bench {

enum class WorkloadSize {
  kFull,   // The size of published results: about a million timed commands.
  kSmoke,  // About a hundredth: for tests.
};

// Increased whenever a workload of the same name, seed and size changes.
inline constexpr uint32_t kWorkloadVersion = 1;

struct WorkloadEntry {
  absl::string_view name;
  absl::string_view summary;  // For the output of --list.
};

// In the order in which they are measured.
const std::vector<WorkloadEntry>& Workloads();

// What others hold (crowd.h): each case at three sizes. Not among Workloads().
const std::vector<WorkloadEntry>& CrowdWorkloads();

// Errors: INVALID_ARGUMENT, with the valid names.
absl::StatusOr<Workload> MakeWorkload(absl::string_view name, uint32_t seed, WorkloadSize size);

}  // namespace bench

#endif  // ENGINE_WORKLOAD_CATALOGUE_H_
