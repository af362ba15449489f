// Takes snapshots while a journal grows: a separate process replays the durable records and saves
// its state periodically. The writer is not involved.

#ifndef TOOLS_CLI_SNAPSHOT_SNAPSHOT_FOLLOW_H_
#define TOOLS_CLI_SNAPSHOT_SNAPSHOT_FOLLOW_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/exit_code.h"

namespace tools {

struct SnapshotFollowOptions {
  std::string path;
  uint64_t every_records = 1'000'000;  // 0: no limit.
  uint64_t every_minutes = 10;         // 0: no limit.
  uint64_t keep = 0;                   // The number of newest proven snapshots to keep; 0: all.
  bool until_closed = false;
};

// Runs until Ctrl-C, or with `until_closed` until the journal is closed. Takes a snapshot at the
// first multiple of 4096 records at which either interval has passed. Errors: INVALID_ARGUMENT (the
// options), the follower's, the storage's.
absl::StatusOr<ExitCode> FollowWithSnapshots(const SnapshotFollowOptions& options,
                                             Console& console);

}  // namespace tools

#endif  // TOOLS_CLI_SNAPSHOT_SNAPSHOT_FOLLOW_H_
