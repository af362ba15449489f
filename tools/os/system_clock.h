// The real time, for the sequencer. Made in main() and passed down.

#ifndef TOOLS_OS_SYSTEM_CLOCK_H_
#define TOOLS_OS_SYSTEM_CLOCK_H_

#include "engine/base/clock.h"
#include "engine/base/timestamp.h"

namespace tools {

// CLOCK_REALTIME. May step: see journal/guarded_clock.h, and the sequencer. A year that no
// timestamp can have reads as the last moment of those that it can.
class SystemClock final : public engine::Clock {
 public:
  engine::Timestamp Now() override;
};

}  // namespace tools

#endif  // TOOLS_OS_SYSTEM_CLOCK_H_
