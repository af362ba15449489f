// How one thread waits for another. Only thread loops wait; the work itself is a state machine that
// tests drive step by step.

#ifndef ENGINE_BASE_DOORBELL_H_
#define ENGINE_BASE_DOORBELL_H_

#include <cstdint>

namespace engine {

// Thread-safe: any number of threads may ring; one thread waits. The production implementation is
// tools/os/doorbells.h.
class Doorbell {
 public:
  virtual ~Doorbell() = default;

  // The waiter returns from Wait(), or from its next Wait() immediately. It sees all stores that
  // were made before Ring().
  virtual void Ring() = 0;

  // Returns when rung, after `nanos_max` nanoseconds, or spuriously earlier.
  virtual void Wait(int64_t nanos_max) = 0;
};

}  // namespace engine

#endif  // ENGINE_BASE_DOORBELL_H_
