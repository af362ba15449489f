// The real clock as the sequencer may believe it: a reading that jumps ahead is not used.
//
//   real clock    9:00   9:01   2261   9:03   8:04 …        (a fault, then a step of an hour)
//   believed      9:00   9:01   9:01   9:03   8:04
//   stamped       9:00   9:01   9:01   9:03   9:03 …        by the sequencer, which never runs back
//
// Without it, one reading of the year 2261 moves every later record there: time in a log never runs
// back. How far a reading may be is judged by a clock that only passes.

#ifndef JOURNAL_GUARDED_CLOCK_H_
#define JOURNAL_GUARDED_CLOCK_H_

#include <cstdint>
#include <functional>

#include "engine/base/clock.h"
#include "engine/base/steady_time.h"
#include "engine/base/timestamp.h"

namespace journal {

// Not thread-safe: owned by the thread that sequences. Both clocks outlive it.
//
// A reading may be ahead of the latest one that was believed by the time that has passed since, and
// by `jump_nanos_max` more. The first reading is believed: nothing is known of what it should be.
class GuardedClock final : public engine::Clock {
 public:
  // Called when readings begin to be refused, once until one is believed again.
  using Warning = std::function<void(engine::Timestamp refused, engine::Timestamp used)>;

  // REQUIRES: jump_nanos_max >= 0.
  GuardedClock(engine::Clock& real, engine::SteadyClock& steady, int64_t jump_nanos_max,
               Warning warning);

  // The reading, or the last one that was believed.
  engine::Timestamp Now() override;

 private:
  engine::Clock& real_;
  engine::SteadyClock& steady_;
  const int64_t jump_nanos_max_;
  const Warning warning_;

  bool has_read_ = false;
  bool refuses_ = false;
  engine::Timestamp believed_;      // The last that was.
  engine::Timestamp furthest_;      // Of those that were, with the time passed since …
  engine::SteadyTime furthest_at_;  // … this.
};

}  // namespace journal

#endif  // JOURNAL_GUARDED_CLOCK_H_
