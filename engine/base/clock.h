// Sources of time. Only the sequencer reads a Clock; every later stage reads the record's
// timestamp. Waiting and pacing use a SteadyClock, because a real clock may step.

#ifndef ENGINE_BASE_CLOCK_H_
#define ENGINE_BASE_CLOCK_H_

#include <cstdint>

#include "engine/base/steady_time.h"
#include "engine/base/timestamp.h"

namespace engine {

// The production clock is tools/os/clocks.h, created in main() and passed down. It may step in
// either direction by any amount.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Timestamp Now() = 0;
};

// Returns the time it was last set to: for recorded input, which carries its own time, and for
// tests.
class ManualClock final : public Clock {
 public:
  Timestamp Now() override { return now_; }
  void Set(Timestamp now) { now_ = now; }

 private:
  Timestamp now_;
};

// Monotonic: never runs back. The production clock is tools/os/clocks.h.
class SteadyClock {
 public:
  virtual ~SteadyClock() = default;
  virtual SteadyTime Now() = 0;
};

class ManualSteadyClock final : public SteadyClock {
 public:
  SteadyTime Now() override { return now_; }
  void Advance(int64_t nanos) { now_ = now_ + nanos; }

 private:
  SteadyTime now_;
};

}  // namespace engine

#endif  // ENGINE_BASE_CLOCK_H_
