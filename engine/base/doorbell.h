// How one thread waits for another. Only threads know about waiting; what they do is a state
// machine that tests drive by hand.

#ifndef ENGINE_BASE_DOORBELL_H_
#define ENGINE_BASE_DOORBELL_H_

#include <cstdint>

namespace engine {

// Thread-safe: any number may ring, one waits. The real one is tools/os:futex_doorbell.
class Doorbell {
 public:
  virtual ~Doorbell() = default;

  // The waiter returns from Wait(), or from its next Wait() at once. What was stored before is seen
  // by the waiter.
  virtual void Ring() = 0;

  // Returns once rung, after so many nanoseconds, or earlier without reason.
  virtual void Wait(int64_t nanos_max) = 0;
};

}  // namespace engine

#endif  // ENGINE_BASE_DOORBELL_H_
