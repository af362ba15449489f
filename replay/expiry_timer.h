// Expires orders while no commands arrive.
//
// In the log, time advances only with commands: a good-till-time order expires with the first
// command at or after its expiry time. If no command arrives, the timer submits advance_time, which
// is journalled like any other command, so a replay needs no timer.

#ifndef REPLAY_EXPIRY_TIMER_H_
#define REPLAY_EXPIRY_TIMER_H_

#include <algorithm>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/clock.h"
#include "engine/base/status_macros.h"
#include "engine/base/steady_time.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
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
  absl::StatusOr<int64_t> Tick() {
    const engine::Timestamp next = recorder_.next_expiry();
    if (next == engine::Timestamp::Max()) return kNever;
    const engine::Timestamp now = clock_.Now();
    if (now < next) {
      // Unsigned: the difference may exceed an int64_t.
      const uint64_t left =
          static_cast<uint64_t>(next.nanos()) - static_cast<uint64_t>(now.nanos());
      return static_cast<int64_t>(std::min<uint64_t>(left, kSecondNanos));
    }
    const engine::SteadyTime steady_now = steady_.Now();
    if (last_sent_.has_value() && steady_now - *last_sent_ < kSecondNanos) {
      return kSecondNanos - (steady_now - *last_sent_);
    }
    last_sent_ = steady_now;
    engine::Command command;
    command.kind = engine::CommandKind::kAdvanceTime;
    const absl::Status sent = recorder_.Submit(command, {}).status();
    if (!sent.ok() && !absl::IsResourceExhausted(sent)) return sent;
    RETURN_IF_ERROR(recorder_.status());
    return recorder_.next_expiry() == engine::Timestamp::Max() ? kNever : kSecondNanos;
  }

 private:
  Recorder& recorder_;
  engine::Clock& clock_;
  engine::SteadyClock& steady_;
  std::optional<engine::SteadyTime> last_sent_;
};

}  // namespace replay

#endif  // REPLAY_EXPIRY_TIMER_H_
