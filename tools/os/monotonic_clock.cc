#include "tools/os/monotonic_clock.h"

#include <time.h>

namespace tools {

engine::SteadyTime MonotonicClock::Now() {
  timespec now = {};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return engine::SteadyTime::FromNanos(now.tv_sec * 1'000'000'000 + now.tv_nsec);
}

}  // namespace tools
