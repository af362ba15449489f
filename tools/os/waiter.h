// How someone who follows waits for more.

#ifndef TOOLS_OS_WAITER_H_
#define TOOLS_OS_WAITER_H_

namespace tools {

class Waiter {
 public:
  virtual ~Waiter() = default;

  // Returns when there may be something new, which may be wrong, or false: stop following.
  virtual bool Wait() = 0;
};

}  // namespace tools

#endif  // TOOLS_OS_WAITER_H_
