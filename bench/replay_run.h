// Replays a journal from its file as `ticktape replay` does: two threads may decode, the calling
// thread runs the engine.
//
//   file ─► ReadAhead ─► rows ─► engine ─► events      and, except in RunUndigested, all digests:
//           └ two threads ┘      └ this thread ┘       of the log, the events and the states

#ifndef BENCH_REPLAY_RUN_H_
#define BENCH_REPLAY_RUN_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "bench/contenders.h"

namespace bench {

struct ReplayResult {
  double seconds = 0;  // From the opened journal to the last record.
  uint64_t record_count = 0;
  RunDigests digests;  // RunUndigested: only the state's.
};

// Errors: the reader's, with the path; FAILED_PRECONDITION when the journal begins later; DATA_LOSS
// when the replay diverges from the recording.
absl::StatusOr<ReplayResult> RunReplay(const std::string& path);

// Decodes and applies, without any digest except the final state's.
absl::StatusOr<ReplayResult> RunUndigested(const std::string& path);

}  // namespace bench

#endif  // BENCH_REPLAY_RUN_H_
