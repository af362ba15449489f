#include "tools/os/system_clock.h"

#include <time.h>

namespace tools {

engine::Timestamp SystemClock::Now() {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  return engine::Timestamp::FromNanos(now.tv_sec * 1'000'000'000 + now.tv_nsec);
}

}  // namespace tools
