// Expires orders while no commands come.
//
// In the log, time passes with commands alone: an order that is good till a time expires with the
// first command that is not before that time. Where none comes, this sends one, advance_time, which
// is journalled like any other; a replay needs no timer.

#ifndef REPLAY_EXPIRY_TIMER_H_
#define REPLAY_EXPIRY_TIMER_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "engine/base/clock.h"
#include "engine/base/steady_time.h"
#include "replay/recorder.h"

namespace replay {

// Not thread-safe: owned by the thread that sequences. All references outlive it.
class ExpiryTimer {
 public:
  // Of a timer that need not be asked again before the next command.
  static constexpr int64_t kNever = INT64_MAX;

  // The least time between two commands that it sends, and the most between two looks at the clock,
  // as that may step.
  static constexpr int64_t kSecondNanos = 1'000'000'000;

  // `clock` is the sequencer's.
  ExpiryTimer(Recorder& recorder, engine::Clock& clock, engine::SteadyClock& steady)
      : recorder_(recorder), clock_(clock), steady_(steady) {}

  // Submits advance_time if an order's time has come. Returns in how many nanoseconds to be called
  // again, or kNever. A disk that is full for now is no error: the order expires later.
  // Errors: the recorder's, sticky.
  absl::StatusOr<int64_t> Tick();

 private:
  Recorder& recorder_;
  engine::Clock& clock_;
  engine::SteadyClock& steady_;
  std::optional<engine::SteadyTime> last_sent_;
};

}  // namespace replay

#endif  // REPLAY_EXPIRY_TIMER_H_
