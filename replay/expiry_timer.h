// Expires orders while no commands arrive.
//
// In the log, time advances only with commands: a good-till-time order expires with the first
// command at or after its expiry time. If no command arrives, the timer submits advance_time, which
// is journalled like any other command, so a replay needs no timer.

#ifndef REPLAY_EXPIRY_TIMER_H_
#define REPLAY_EXPIRY_TIMER_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "engine/base/clock.h"
#include "engine/base/steady_time.h"
#include "replay/recorder.h"

namespace replay {

// Not thread-safe: owned by the sequencing thread. All references outlive it.
class ExpiryTimer {
 public:
  // Returned by Tick() when it need not be called before the next command.
  static constexpr int64_t kNever = INT64_MAX;

  // The minimum time between two commands that the timer submits, and the maximum time between two
  // readings of the clock, which may step.
  static constexpr int64_t kSecondNanos = 1'000'000'000;

  // `clock` is the sequencer's clock.
  ExpiryTimer(Recorder& recorder, engine::Clock& clock, engine::SteadyClock& steady)
      : recorder_(recorder), clock_(clock), steady_(steady) {}

  // Submits advance_time if an order is due to expire. Returns the nanoseconds until the next call
  // is needed, or kNever. A full disk is not an error: the order expires later.
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
