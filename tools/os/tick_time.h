// The time of day for stamps that are read often.

#ifndef TOOLS_OS_TICK_TIME_H_
#define TOOLS_OS_TICK_TIME_H_

#include <cstdint>

#include "engine/base/clock.h"
#include "engine/base/timestamp.h"
#include "tools/os/measuring.h"

namespace tools {

// Another clock's time, continued by the processor's counter and set after that clock once a
// second: a reading costs half as much, and short spans are as exact as the counter. Between two
// settings it drifts by some microseconds at most; it may step back by as much. Not thread-safe.
class TickTime final : public engine::Clock {
 public:
  // Takes 20 ms. `clock` outlives it.
  explicit TickTime(engine::Clock& clock);

  engine::Timestamp Now() override {
    const uint64_t nanos = rate_.NanosOf(TickClock::Ticks() - set_at_);
    if (nanos >= kSecondNanos) return Set();
    return engine::Timestamp::FromNanos(time_.nanos() + static_cast<int64_t>(nanos));
  }

 private:
  static constexpr uint64_t kSecondNanos = 1'000'000'000;

  engine::Timestamp Set();

  engine::Clock& clock_;
  const TickClock rate_;
  uint64_t set_at_ = 0;     // Of the counter.
  engine::Timestamp time_;  // At that point.
};

}  // namespace tools

#endif  // TOOLS_OS_TICK_TIME_H_
