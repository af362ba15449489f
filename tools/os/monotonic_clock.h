// A clock that never steps, for waiting and pacing. Created in main() and passed down.

#ifndef TOOLS_OS_MONOTONIC_CLOCK_H_
#define TOOLS_OS_MONOTONIC_CLOCK_H_

#include <time.h>

#include "engine/base/clock.h"
#include "engine/base/steady_time.h"

namespace tools {

// CLOCK_BOOTTIME: it advances while the machine is suspended, as the real-time clock does.
// Thread-safe.
class MonotonicClock final : public engine::SteadyClock {
 public:
  engine::SteadyTime Now() override {
    timespec now = {};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return engine::SteadyTime::FromNanos(now.tv_sec * 1'000'000'000 + now.tv_nsec);
  }
};

}  // namespace tools

#endif  // TOOLS_OS_MONOTONIC_CLOCK_H_
