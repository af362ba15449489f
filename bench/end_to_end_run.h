// The whole path, measured: commands in memory are sequenced, journaled, applied, and their events
// released in a ring once the ack policy holds.
//
//   core 0   command ─► Recorder: sequence, open block, engine ─► … ─► events in a ring
//   core 1              └► compress, write, sync ───────────────────┘

#ifndef BENCH_END_TO_END_RUN_H_
#define BENCH_END_TO_END_RUN_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "bench/latency_histogram.h"
#include "bench/workload/workload.h"
#include "engine/base/digest.h"
#include "journal/ack_policy.h"
#include "journal/storage/posix_file.h"
#include "journal/writer_options.h"

namespace bench {

struct EndToEndOptions {
  std::string folder;  // Where the journal is written; it is removed afterwards.
  journal::AckPolicy ack = journal::AckPolicy::kDisk;
  journal::FileIo io = journal::FileIo::kBuffered;
  journal::WriterOptions writer;
  // Commands a second, each due at its time whatever became of those before (open loop); without,
  // as fast as they are taken.
  std::optional<double> rate;
  size_t commands_max = SIZE_MAX;  // Of those that are timed.
  int sequencing_core = 0;
  int writing_core = 1;
};

struct EndToEndResult {
  uint64_t command_count = 0;  // Timed.
  uint64_t event_count = 0;
  // What each thread's work took of a core, waiting included where it spins. The writing one's is
  // of the whole run, warm-up included.
  int64_t sequencing_nanos = 0;
  int64_t writing_nanos = 0;
  uint64_t written_count = 0;  // What the writing thread wrote in that time.
  double seconds = 0;          // From the first command to the release of the last event.
  uint64_t stored_bytes = 0;   // Of the timed commands.
  uint64_t syncs = 0;
  LatencyHistogram latency;  // Nanoseconds from due to released; with a rate.
  engine::Digest trace;      // Depends on the clock's stamps where orders expire.

  double rate() const { return static_cast<double>(command_count) / seconds; }
  double sequencing_nanos_per_command() const {
    return static_cast<double>(sequencing_nanos) / static_cast<double>(command_count);
  }
  double writing_nanos_per_command() const {
    return static_cast<double>(writing_nanos) / static_cast<double>(written_count);
  }
  double bytes_per_command() const {
    return static_cast<double>(stored_bytes) / static_cast<double>(command_count);
  }
};

// Errors: the storage's, with the path.
absl::StatusOr<EndToEndResult> RunEndToEnd(const Workload& workload,
                                           const EndToEndOptions& options);

}  // namespace bench

#endif  // BENCH_END_TO_END_RUN_H_
