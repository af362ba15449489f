// A journal replayed from its file, as `ticktape replay` does it: decoding on either of two
// threads, the engine on this one.
//
//   file ─► ReadAhead ─► rows ─► engine ─► events      and, unless told otherwise, all digests:
//           └ two threads ┘      └ this thread ┘       of the log, of events and of states

#ifndef BENCH_REPLAY_RUN_H_
#define BENCH_REPLAY_RUN_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "bench/contenders.h"

namespace bench {

struct ReplayResult {
  double seconds = 0;  // From the open journal to the last record.
  uint64_t record_count = 0;
  RunDigests digests;  // RunUndigested: the state's alone.
};

// Errors: the reader's, with the path; FAILED_PRECONDITION when the journal begins later.
absl::StatusOr<ReplayResult> RunReplay(const std::string& path);

// Decoding and the engine, and no digest of anything.
absl::StatusOr<ReplayResult> RunUndigested(const std::string& path);

}  // namespace bench

#endif  // BENCH_REPLAY_RUN_H_
