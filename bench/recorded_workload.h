// A workload as the benchmarks use it: read from a journal into memory.

#ifndef BENCH_RECORDED_WORKLOAD_H_
#define BENCH_RECORDED_WORKLOAD_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/large_block.h"
#include "engine/messages/command.h"
#include "engine/workload/catalogue.h"

namespace bench {

struct RecordedWorkload {
  std::string name;
  std::string path;
  // In huge pages, so that TLB misses on the commands do not distort the measurement.
  std::vector<engine::Command, engine::LargeAllocator<engine::Command>> commands;
  // Ascending by index into `commands`.
  std::vector<std::pair<size_t, std::vector<std::byte>>> attachments;
  size_t warm_up_count = 0;
  engine::Digest log_digest;
  uint64_t file_bytes = 0;
  bool is_new = false;  // Generated and written by this call.

  size_t timed_count() const { return commands.size() - warm_up_count; }
};

// Reads any journal that begins at record 1. Errors: the reader's, with the path;
// FAILED_PRECONDITION when it begins later; INVALID_ARGUMENT when the warm-up leaves no command to
// time.
absl::StatusOr<RecordedWorkload> ReadWorkload(const std::string& path, size_t warm_up_count);

// Reads the workload of that name from its journal under `folder`. Generates and writes the journal
// first if it is missing, incomplete or of an older version.
// Errors: INVALID_ARGUMENT (name), those of reader and writer, DATA_LOSS when the journal does not
// hold what the generator made.
absl::StatusOr<RecordedWorkload> RecordOrReadWorkload(const std::string& folder,
                                                      absl::string_view name, uint32_t seed,
                                                      WorkloadSize size);

// $XDG_CACHE_HOME/ticktape/bench, else $HOME/.cache/ticktape/bench, else in the temporary folder.
std::string DefaultCacheFolder();

}  // namespace bench

#endif  // BENCH_RECORDED_WORKLOAD_H_
