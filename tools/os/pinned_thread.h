// A thread on a core of its own, for work whose speed depends on where it runs.

#ifndef TOOLS_OS_PINNED_THREAD_H_
#define TOOLS_OS_PINNED_THREAD_H_

#include <functional>
#include <memory>
#include <vector>

namespace tools {

// The cores that this process may use, ascending.
std::vector<int> UsableCores();

// Keeps the calling thread on that core. False: the system does not allow it.
bool PinThisThread(int core);

// Runs `body` once, on `core` if the system allows it; its end is waited for when the object goes.
class PinnedThread {
 public:
  PinnedThread(int core, std::function<void()> body);
  ~PinnedThread();
  PinnedThread(const PinnedThread&) = delete;
  PinnedThread& operator=(const PinnedThread&) = delete;

 private:
  struct Thread;
  const std::unique_ptr<Thread> thread_;
};

}  // namespace tools

#endif  // TOOLS_OS_PINNED_THREAD_H_
