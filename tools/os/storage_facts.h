// The file system of a folder, and the speed of its syncs.

#ifndef TOOLS_OS_STORAGE_FACTS_H_
#define TOOLS_OS_STORAGE_FACTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace tools {

struct StorageFacts {
  std::string file_system = "?";     // "ext4"; "?" if unknown.
  std::string device;                // "/dev/nvme0n1p2".
  std::string mount_point;           // "/data".
  std::vector<std::string> options;  // Of the mount and of the file system: "rw", "noatime".
  uint64_t free_bytes = 0;           // Available to unprivileged users.
};

// Errors: NOT_FOUND and others, with the path.
absl::StatusOr<StorageFacts> ReadStorageFacts(const std::string& path);

// Fills `facts` from the line of /proc/self/mountinfo for `device_number` ("8:1"). Returns false if
// there is none.
bool ParseMountInfo(const std::string& mount_info, const std::string& device_number,
                    StorageFacts& facts);

// Appends 4096 bytes and calls fdatasync, `count` times, in an unlinked file in that folder.
// Returns the duration of each, in nanoseconds. Errors: with the path.
absl::StatusOr<std::vector<uint64_t>> MeasureSyncs(const std::string& path, uint64_t count);

}  // namespace tools

#endif  // TOOLS_OS_STORAGE_FACTS_H_
