// The real time, for the sequencer. Created in main() and passed down.

#ifndef TOOLS_OS_SYSTEM_CLOCK_H_
#define TOOLS_OS_SYSTEM_CLOCK_H_

#include <time.h>

#include <cstdint>

#include "engine/base/clock.h"
#include "engine/base/timestamp.h"

namespace tools {

// CLOCK_REALTIME. It may step: see journal/guarded_clock.h, and the sequencer. Times beyond the
// range of Timestamp read as Timestamp::Max().
class SystemClock final : public engine::Clock {
 public:
  engine::Timestamp Now() override {
    timespec now = {};
    clock_gettime(CLOCK_REALTIME, &now);
    constexpr int64_t kNanosInSecond = 1'000'000'000;
    if (now.tv_sec >= INT64_MAX / kNanosInSecond) return engine::Timestamp::Max();
    return engine::Timestamp::FromNanos(now.tv_sec * kNanosInSecond + now.tv_nsec);
  }
};

}  // namespace tools

#endif  // TOOLS_OS_SYSTEM_CLOCK_H_
