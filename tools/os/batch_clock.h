// A clock for commands that arrive together: it reads the underlying clock once for up to 32 of
// them, because a reading costs about as much as sequencing a command.

#ifndef TOOLS_OS_BATCH_CLOCK_H_
#define TOOLS_OS_BATCH_CLOCK_H_

#include "engine/base/clock.h"
#include "engine/base/timestamp.h"

namespace tools {

// Not thread-safe: owned by the thread that sequences. `clock` outlives it.
class BatchClock final : public engine::Clock {
 public:
  explicit BatchClock(engine::Clock& clock) : clock_(clock) {}

  // Begins a new batch: the next Now() reads the underlying clock.
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
