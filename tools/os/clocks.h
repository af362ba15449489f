// The system's clocks, and one for commands that arrive together: created in main() and passed
// down. A stopwatch.

#ifndef TOOLS_OS_CLOCKS_H_
#define TOOLS_OS_CLOCKS_H_

#include <time.h>

#include <chrono>
#include <cstdint>

#include "engine/base/clock.h"
#include "engine/base/steady_time.h"
#include "engine/base/timestamp.h"

namespace tools {

// The real time, for the sequencer: CLOCK_REALTIME. It may step: see journal/guarded_clock.h, and
// the sequencer. Times beyond the range of Timestamp read as Timestamp::Max().
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

// A clock that never steps, for waiting and pacing: CLOCK_BOOTTIME, which advances while the
// machine is suspended, as the real-time clock does. Thread-safe.
class MonotonicClock final : public engine::SteadyClock {
 public:
  engine::SteadyTime Now() override {
    timespec now = {};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return engine::SteadyTime::FromNanos(now.tv_sec * 1'000'000'000 + now.tv_nsec);
  }
};

// Reads the underlying clock once for up to 32 commands that arrive together, because a reading
// costs about as much as sequencing a command. Not thread-safe: owned by the thread that sequences.
// `clock` outlives it.
class BatchClock final : public engine::Clock {
 public:
  explicit BatchClock(engine::Clock& clock) : clock_(clock) {}

  // Begins a new batch: the next Now() reads the underlying clock.
  void Restart() { uses_left_ = 0; }

  engine::Timestamp Now() override {
    if (uses_left_ == 0) {
      now_ = clock_.Now();
      uses_left_ = kUsesMax;
    }
    --uses_left_;
    return now_;
  }

 private:
  static constexpr int kUsesMax = 32;

  engine::Clock& clock_;
  engine::Timestamp now_;
  int uses_left_ = 0;
};

// Elapsed time for people: rates and progress. Nothing that is recorded depends on it.
class Stopwatch {
 public:
  double Seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  void Restart() { start_ = std::chrono::steady_clock::now(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace tools

#endif  // TOOLS_OS_CLOCKS_H_
