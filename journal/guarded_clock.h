// The real-time clock without forward jumps: a reading that is too far ahead is not used.
//
//   real clock    9:00   9:01   2261   9:03   8:04 …        (a fault, then a step of an hour)
//   accepted      9:00   9:01   9:01   9:03   8:04
//   timestamp     9:00   9:01   9:01   9:03   9:03 …        by the sequencer, which is monotone
//
// Without it, one reading of the year 2261 would give that time to every later record, because time
// in a log never decreases. A steady clock decides how far ahead a reading may be.

#ifndef JOURNAL_GUARDED_CLOCK_H_
#define JOURNAL_GUARDED_CLOCK_H_

#include <cstdint>
#include <functional>

#include "engine/base/clock.h"
#include "engine/base/steady_time.h"
#include "engine/base/timestamp.h"

namespace journal {

// Not thread-safe: owned by the sequencing thread. Both clocks outlive it.
//
// A reading may be ahead of the latest accepted time by the steady time passed since, plus
// `jump_nanos_max`. The first reading is always accepted, because there is nothing to compare with.
class GuardedClock final : public engine::Clock {
 public:
  // Called at the first refused reading, and not again until a reading is accepted.
  using Warning = std::function<void(engine::Timestamp refused, engine::Timestamp used)>;

  // REQUIRES: jump_nanos_max >= 0.
  GuardedClock(engine::Clock& real, engine::SteadyClock& steady, int64_t jump_nanos_max,
               Warning warning);

  // Returns the clock's reading, or the last accepted one if that is refused.
  engine::Timestamp Now() override;

 private:
  engine::Clock& real_;
  engine::SteadyClock& steady_;
  const int64_t jump_nanos_max_;
  const Warning warning_;

  bool has_read_ = false;
  bool refuses_ = false;
  engine::Timestamp accepted_;      // The last accepted reading.
  engine::Timestamp furthest_;      // The accepted reading that is furthest ahead …
  engine::SteadyTime furthest_at_;  // … and the steady time when it was read.
};

}  // namespace journal

#endif  // JOURNAL_GUARDED_CLOCK_H_
