// Measures the whole path: commands in memory are sequenced, journaled and applied, and their
// events are released into a ring once the ack policy is met.
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
#include "engine/base/digest.h"
#include "engine/workload/workload.h"
#include "journal/ack_policy.h"
#include "journal/writer_options.h"

namespace bench {

struct EndToEndOptions {
  std::string folder;  // Where the journal is written; it is removed afterwards.
  journal::AckPolicy ack = journal::AckPolicy::kDisk;
  bool direct = false;  // Past the page cache (direct_storage.h).
  journal::WriterOptions writer;
  // Commands per second, each due at a fixed time (open loop). Unset: each is submitted as soon as
  // the one before is done.
  std::optional<double> rate;
  size_t commands_max = SIZE_MAX;  // The number of timed commands, at most.
  int sequencing_core = 0;
  int writing_core = 1;
};

struct EndToEndResult {
  uint64_t command_count = 0;  // Timed commands.
  uint64_t event_count = 0;
  // CPU time of each thread, including spinning. The writing thread's time covers the whole run,
  // with the warm-up.
  int64_t sequencing_nanos = 0;
  int64_t writing_nanos = 0;
  uint64_t written_count = 0;  // Commands written in writing_nanos.
  double seconds = 0;          // From the first command to the release of the last event.
  uint64_t stored_bytes = 0;   // Of the timed commands.
  uint64_t syncs = 0;
  LatencyHistogram latency;  // Nanoseconds from due to released; only with a rate.
  engine::Digest trace;      // Depends on the clock's timestamps if orders expire.

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
