// How a follower waits for more input.

#ifndef TOOLS_OS_WAITER_H_
#define TOOLS_OS_WAITER_H_

namespace tools {

class Waiter {
 public:
  virtual ~Waiter() = default;

  // Returns true when there may be something new, possibly spuriously; false: stop following.
  virtual bool Wait() = 0;
};

}  // namespace tools

#endif  // TOOLS_OS_WAITER_H_
