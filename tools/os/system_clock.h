// The real time, for the sequencer. Created in main() and passed down.

#ifndef TOOLS_OS_SYSTEM_CLOCK_H_
#define TOOLS_OS_SYSTEM_CLOCK_H_

#include "engine/base/clock.h"
#include "engine/base/timestamp.h"

namespace tools {

// CLOCK_REALTIME. It may step: see journal/guarded_clock.h, and the sequencer. Times beyond the
// range of Timestamp read as Timestamp::Max().
class SystemClock final : public engine::Clock {
 public:
  engine::Timestamp Now() override;
};

}  // namespace tools

#endif  // TOOLS_OS_SYSTEM_CLOCK_H_
