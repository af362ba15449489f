// valgrind's callgrind: how to run a program under it, and what it found.
//
// Source: "Callgrind Format Specification", valgrind's manual; checked with version 3.19.

#ifndef TOOLS_CLI_RETIME_CALLGRIND_H_
#define TOOLS_CLI_RETIME_CALLGRIND_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tools {

// What some work took. Branches and misses are those of simulated predictors and caches.
// A regular value type.
struct WorkCounts {
  uint64_t instructions = 0;
  uint64_t branches = 0;
  uint64_t mispredicted = 0;
  uint64_t l1_misses = 0;  // Of the first level, for instructions and data.
  uint64_t last_level_misses = 0;

  WorkCounts& operator+=(const WorkCounts& other);
  friend bool operator==(const WorkCounts&, const WorkCounts&) = default;
};

// By the caller's index of a function.
using CountsByIndex = std::map<size_t, WorkCounts>;

// The caches are of a fixed size, so that counts are those of every machine.
inline constexpr absl::string_view kSimulatedCaches =
    "L1 32 KiB of 8 ways, for instructions and for data; LL 8 MiB of 16 ways";

// The command that runs `program` and counts within the functions that match the pattern
// `functions` alone. The profile goes to a file at `profile`.
std::vector<std::string> CallgrindCommand(const std::string& profile, absl::string_view functions,
                                          const std::vector<std::string>& program);

// Sums what the functions took, with all that they called, by the index that `index_of` gives to
// a function's name; names without one do not count. Accepts any bytes. Errors: DATA_LOSS with the
// line.
absl::StatusOr<CountsByIndex> ReadCallgrindProfile(
    absl::string_view profile,
    const std::function<std::optional<size_t>(absl::string_view)>& index_of);

}  // namespace tools

#endif  // TOOLS_CLI_RETIME_CALLGRIND_H_
