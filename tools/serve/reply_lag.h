// How long clients wait within the venue: from when their bytes were read until the replies to them
// were written.
//
//   read ─► apply ─► the journal's policy holds ─► write
//     └───────────────────── lag ────────────────────┘

#ifndef TOOLS_SERVE_REPLY_LAG_H_
#define TOOLS_SERVE_REPLY_LAG_H_

#include <cstdint>
#include <deque>
#include <utility>

#include "engine/base/sequence_number.h"
#include "engine/base/steady_time.h"
#include "replay/retime/latency_histogram.h"

namespace tools {

// Not thread-safe: owned by the thread of the loop.
class ReplyLag {
 public:
  // Bytes that were read at `read_at` are processed: `applied` is the last command now.
  void OnRead(engine::SteadyTime read_at, engine::SequenceNumber applied) {
    unwritten_.push_back({.read_at = read_at, .applied = applied});
  }

  // What was released, until `released`, is written.
  void OnWritten(engine::SequenceNumber released, engine::SteadyTime now);

  // Of each read, in nanoseconds.
  const replay::LatencyHistogram& histogram() const { return histogram_; }

  // Returns the longest since the last call, in nanoseconds; 0 if there was none.
  int64_t TakeLongest() { return std::exchange(longest_, 0); }

 private:
  struct Read {
    engine::SteadyTime read_at;
    engine::SequenceNumber applied;
  };

  std::deque<Read> unwritten_;
  replay::LatencyHistogram histogram_;
  int64_t longest_ = 0;
};

}  // namespace tools

#endif  // TOOLS_SERVE_REPLY_LAG_H_
