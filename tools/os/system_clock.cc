#include "tools/os/system_clock.h"

#include <time.h>

#include <cstdint>

namespace tools {

engine::Timestamp SystemClock::Now() {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  constexpr int64_t kNanosInSecond = 1'000'000'000;
  if (now.tv_sec >= INT64_MAX / kNanosInSecond) return engine::Timestamp::Max();
  return engine::Timestamp::FromNanos(now.tv_sec * kNanosInSecond + now.tv_nsec);
}

}  // namespace tools
