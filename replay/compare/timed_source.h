// A LogSource that returns DEADLINE_EXCEEDED once time is up.

#ifndef REPLAY_COMPARE_TIMED_SOURCE_H_
#define REPLAY_COMPARE_TIMED_SOURCE_H_

#include <functional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "journal/reader.h"
#include "replay/log_source.h"

namespace replay {

// Not thread-safe. Both arguments outlive it. `out_of_time` may be null; it is called before each
// run.
class TimedSource final : public LogSource {
 public:
  TimedSource(LogSource& source, const std::function<bool()>& out_of_time)
      : source_(source), out_of_time_(out_of_time) {}

  engine::SequenceNumber last() const override { return source_.last(); }
  absl::Status Seek(engine::SequenceNumber sequence) override { return source_.Seek(sequence); }
  absl::StatusOr<journal::Batch> NextRun() override {
    if (out_of_time_ && out_of_time_()) return absl::DeadlineExceededError("time is up");
    return source_.NextRun();
  }

 private:
  LogSource& source_;
  const std::function<bool()>& out_of_time_;
};

}  // namespace replay

#endif  // REPLAY_COMPARE_TIMED_SOURCE_H_
