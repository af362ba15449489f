// Properties of the machine's processors, clock and storage, and their speed at this moment.

#ifndef TOOLS_OS_MACHINE_FACTS_H_
#define TOOLS_OS_MACHINE_FACTS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace tools {

// Returns names and values of what timings depend on, always the same names in the same order:
// processor, cores, kernel, governor, isolated cores, huge pages, clock source. A value that the
// system does not provide is "none". Timings of machines that differ in any are not comparable.
std::vector<std::pair<std::string, std::string>> ReadMachineFacts();

struct ClockFacts {
  std::string source = "?";       // "tsc"; "?" if unknown.
  uint64_t resolution_nanos = 0;  // The smallest step observed.
  double read_nanos = 0;          // The cost of one reading.
};

// Measures for some milliseconds.
ClockFacts ReadClockFacts();

// Measures how long a 64-bit word takes from one thread to another, in nanoseconds: half a round
// trip, averaged over many. Returns 0 on a machine with one processor.
double MeasureHandover();

// The speed of the machine at this moment, measured with fixed work: nanoseconds per step, each the
// lower quartile of several repetitions. Other load on the host, a lower frequency or a full cache
// slow everything down; timings of a program are only comparable while the yardstick is the same.
struct Yardstick {
  double arithmetic = 0;   // A chain of multiplications.
  double near_memory = 0;  // A walk through 256 KiB in random order.
  double far_memory = 0;   // The same through 8 MiB.
};

// Takes some tens of milliseconds.
Yardstick MeasureYardstick();

// The file system of a folder.
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

#endif  // TOOLS_OS_MACHINE_FACTS_H_
