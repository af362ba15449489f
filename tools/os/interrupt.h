// Whether the user has asked the program to end, by Ctrl-C or SIGTERM.

#ifndef TOOLS_OS_INTERRUPT_H_
#define TOOLS_OS_INTERRUPT_H_

namespace tools {

// While an Interrupt exists, the first SIGINT or SIGTERM only sets raised() and interrupts blocking
// calls; the second one ends the program. At most one per process. Owned by a verb that can end
// cleanly. Not thread-safe.
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
