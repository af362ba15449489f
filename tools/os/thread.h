// Threads, the cores that they run on, a lock for the few places that share more than a ring, and
// the same work on many items in parallel.

#ifndef TOOLS_OS_THREAD_H_
#define TOOLS_OS_THREAD_H_

#include <pthread.h>

#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace tools {

using Mutex = std::mutex;
using MutexLock = std::lock_guard<Mutex>;

// Returns the cores that this process may use, ascending.
std::vector<int> UsableCores();

// Pins the calling thread to `core`. Returns false if the system does not allow it.
bool PinThisThread(int core);

// A named thread, which its owner stops and joins. Owned and destroyed by the thread that created
// it.
class Thread {
 public:
  // Runs `body` under `name` (truncated to 15 characters), on `core` if given; if that core is not
  // available, the thread runs unpinned. The destructor calls `stop`, which makes `body` return,
  // and joins; `stop` may be called after `body` has returned. Without `stop`, the destructor waits
  // for `body` to return.
  Thread(const std::string& name, std::function<void()> body, std::function<void()> stop = {},
         std::optional<int> core = std::nullopt);
  ~Thread();
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  // OK, or RESOURCE_EXHAUSTED: the system could not start a thread, and `body` never runs.
  const absl::Status& status() const { return status_; }

 private:
  static void* Run(void* thread);

  const std::string name_;
  const std::function<void()> body_;
  const std::function<void()> stop_;
  pthread_t thread_ = {};
  absl::Status status_;
};

// Returns the number of processors, at least 1.
size_t ProcessorCount();

// Calls `work` with 0 … count - 1, each once, in any order, from up to `thread_count` threads, and
// returns when all calls are done. Meanwhile the calling thread calls `tend`, which may be empty,
// about ten times a second. With one thread, or if no thread can be started, the calling thread
// does all work, without `tend`. Exceptions end the program.
void RunParallel(size_t count, size_t thread_count, const std::function<void(size_t)>& work,
                 const std::function<void()>& tend = nullptr);

}  // namespace tools

#endif  // TOOLS_OS_THREAD_H_
