// Where a time comes from. Only the sequencer reads a clock; everything after it reads the record.

#ifndef ENGINE_BASE_CLOCK_H_
#define ENGINE_BASE_CLOCK_H_

#include "engine/base/timestamp.h"

namespace engine {

// The real one is tools/os:system_clock, made in main() and passed down.
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

}  // namespace engine

#endif  // ENGINE_BASE_CLOCK_H_
