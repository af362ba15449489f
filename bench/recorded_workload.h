// A workload as the benches take it: read from a journal into memory.

#ifndef BENCH_RECORDED_WORKLOAD_H_
#define BENCH_RECORDED_WORKLOAD_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "bench/workload/catalogue.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/large_block.h"
#include "engine/messages/command.h"

namespace bench {

struct RecordedWorkload {
  std::string name;
  std::string path;
  // In huge pages: what it costs to find the page of a command is no engine's.
  std::vector<engine::Command, engine::LargeAllocator<engine::Command>> commands;
  // Ascending by index into `commands`.
  std::vector<std::pair<size_t, std::vector<std::byte>>> attachments;
  size_t warm_up_count = 0;
  engine::Digest log_digest;
  uint64_t file_bytes = 0;
  bool is_new = false;  // It was made and written just now.

  size_t timed_count() const { return commands.size() - warm_up_count; }
};

// Any journal whose first record has number 1. Errors: those of the reader, with the path;
// FAILED_PRECONDITION when it begins later.
absl::StatusOr<RecordedWorkload> ReadWorkload(const std::string& path, size_t warm_up_count);

// The workload of that name from its journal under `folder`, which is made and written if it is not
// there, or is of an older version, or was not finished.
// Errors: INVALID_ARGUMENT (name), those of reader and writer, DATA_LOSS when the journal does not
// hold what the generator made.
absl::StatusOr<RecordedWorkload> RecordOrReadWorkload(const std::string& folder,
                                                      absl::string_view name, uint32_t seed,
                                                      WorkloadSize size);

// $XDG_CACHE_HOME/ticktape/bench, or that of $HOME/.cache, or that of the temporary folder.
std::string DefaultCacheFolder();

}  // namespace bench

#endif  // BENCH_RECORDED_WORKLOAD_H_
