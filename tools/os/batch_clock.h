// The time for commands that came together: read once for a few of them, because reading it costs
// about as much as sequencing a command does.

#ifndef TOOLS_OS_BATCH_CLOCK_H_
#define TOOLS_OS_BATCH_CLOCK_H_

#include "engine/base/clock.h"
#include "engine/base/timestamp.h"

namespace tools {

// Not thread-safe: owned by the thread that sequences. `clock` outlives it.
class BatchClock final : public engine::Clock {
 public:
  explicit BatchClock(engine::Clock& clock) : clock_(clock) {}

  // What comes now has not come together with what came before.
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

}  // namespace tools

#endif  // TOOLS_OS_BATCH_CLOCK_H_
