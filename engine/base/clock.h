// Where a time comes from. Only the sequencer reads a Clock; everything after it reads the record.
// For waiting and pacing: a SteadyClock, since a real clock may step.

#ifndef ENGINE_BASE_CLOCK_H_
#define ENGINE_BASE_CLOCK_H_

#include "engine/base/steady_time.h"
#include "engine/base/timestamp.h"

namespace engine {

// The real one is tools/os:system_clock, made in main() and passed down. It may step, in either
// direction and as far as it likes.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Timestamp Now() = 0;
};

// Shows what it was last set to: recorded input carries its own time, and tests choose theirs.
class ManualClock final : public Clock {
 public:
  Timestamp Now() override { return now_; }
  void Set(Timestamp now) { now_ = now; }

 private:
  Timestamp now_;
};

// The real one is tools/os:monotonic_clock. Never runs back.
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
