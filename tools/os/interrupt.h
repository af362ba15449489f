// Whether someone has asked the program to end: Ctrl-C, or a polite kill.

#ifndef TOOLS_OS_INTERRUPT_H_
#define TOOLS_OS_INTERRUPT_H_

namespace tools {

// While it lives, the first SIGINT or SIGTERM is noted instead of ending the program, and wakes
// whatever waits; the second ends it. One at a time in a process. Owned by the verb that can end
// well. Not thread-safe.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool raised() const;
};

}  // namespace tools

#endif  // TOOLS_OS_INTERRUPT_H_
