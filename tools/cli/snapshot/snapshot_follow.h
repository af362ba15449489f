// Snapshots while a journal grows: a process of its own replays what is durable and saves its state
// now and then. The writer knows nothing of it.

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
  uint64_t every_records = 1'000'000;  // 0: however many.
  uint64_t every_minutes = 10;         // 0: however long.
  uint64_t keep = 0;                   // The newest so many proven ones; 0: all.
  bool until_closed = false;
};

// Until Ctrl-C, or until the journal is closed. One is taken at the first multiple of 4096 at which
// either is due. Errors: INVALID_ARGUMENT (the options), the follower's, the storage's.
absl::StatusOr<ExitCode> FollowWithSnapshots(const SnapshotFollowOptions& options,
                                             Console& console);

}  // namespace tools

#endif  // TOOLS_CLI_SNAPSHOT_SNAPSHOT_FOLLOW_H_
