#include "journal/guarded_clock.h"

#include <utility>

#include "engine/base/check.h"

namespace journal {
namespace {

// Returns `time` + `nanos`, at most Timestamp::Max(). REQUIRES: nanos >= 0.
engine::Timestamp Later(engine::Timestamp time, int64_t nanos) {
  int64_t sum = 0;
  return __builtin_add_overflow(time.nanos(), nanos, &sum) ? engine::Timestamp::Max()
                                                           : engine::Timestamp::FromNanos(sum);
}

}  // namespace

GuardedClock::GuardedClock(engine::Clock& real, engine::SteadyClock& steady, int64_t jump_nanos_max,
                           Warning warning)
    : real_(real), steady_(steady), jump_nanos_max_(jump_nanos_max), warning_(std::move(warning)) {
  CHECK_GE(jump_nanos_max, 0);
}

engine::Timestamp GuardedClock::Now() {
  const engine::Timestamp read = real_.Now();
  const engine::SteadyTime now = steady_.Now();
  if (has_read_) {
    const engine::Timestamp expected = Later(furthest_, now - furthest_at_);
    if (read > Later(expected, jump_nanos_max_)) {
      if (!std::exchange(refuses_, true)) warning_(read, accepted_);
      return accepted_;
    }
    refuses_ = false;
    if (read < expected) return accepted_ = read;
  }
  has_read_ = true;
  furthest_ = read;
  furthest_at_ = now;
  return accepted_ = read;
}

}  // namespace journal
