// The judgements of `doctor`: pure functions, so that every sentence can be tested.

#ifndef TOOLS_CLI_MAINTENANCE_EXAMINATION_H_
#define TOOLS_CLI_MAINTENANCE_EXAMINATION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "tools/os/machine_facts.h"

namespace tools {

enum class Health { kGood, kFair, kBad };
absl::string_view ToString(Health health);

// One property of the machine, and its consequence for who uses it.
struct Diagnosis {
  std::string name;        // "file system".
  std::string value = {};  // "ext4 on /dev/nvme0n1p2".
  Health health = Health::kGood;
  std::string meaning = {};
  std::vector<std::string> changes = {};  // Each is a command, or what to do, that improves it.
};

// Durations of fdatasync, in nanoseconds. A regular value type.
struct SyncTimes {
  uint64_t count = 0;
  uint64_t min = 0;
  uint64_t p50 = 0;
  uint64_t p90 = 0;
  uint64_t p99 = 0;
  uint64_t max = 0;
};
// REQUIRES: `nanos` is not empty.
SyncTimes Summarise(std::vector<uint64_t> nanos);

// The number of durations of up to 2, 4, 8, … microseconds, from the first row that is not zero to
// the longest.
struct DurationCount {
  uint64_t up_to_nanos = 0;
  uint64_t count = 0;

  friend bool operator==(const DurationCount&, const DurationCount&) = default;
};
std::vector<DurationCount> CountDurations(const std::vector<uint64_t>& nanos);

Diagnosis ExamineFileSystem(const StorageFacts& facts);
Diagnosis ExamineMountOptions(const StorageFacts& facts);
Diagnosis ExamineSpace(const StorageFacts& facts);
Diagnosis ExamineSyncs(const SyncTimes& times);
// For syncs that could not be measured, as on a full disk: no journal can be written there either.
Diagnosis ExamineFailedSyncs(const absl::Status& error);
Diagnosis ExamineClock(const ClockFacts& facts);
// `handover_nanos`: 0 on a machine with one processor.
Diagnosis ExamineProcessors(uint64_t count, double handover_nanos);

}  // namespace tools

#endif  // TOOLS_CLI_MAINTENANCE_EXAMINATION_H_
