#include "tools/os/tick_time.h"

namespace tools {

TickTime::TickTime(engine::Clock& clock) : clock_(clock), rate_(TickClock::Calibrate()) { Set(); }

engine::Timestamp TickTime::Set() {
  time_ = clock_.Now();
  set_at_ = TickClock::Ticks();
  return time_;
}

}  // namespace tools
