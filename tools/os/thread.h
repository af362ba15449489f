// A named thread, which its owner stops and joins.

#ifndef TOOLS_OS_THREAD_H_
#define TOOLS_OS_THREAD_H_

#include <pthread.h>

#include <functional>
#include <optional>
#include <string>

#include "absl/status/status.h"

namespace tools {

// Owned and destroyed by the thread that created it.
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

}  // namespace tools

#endif  // TOOLS_OS_THREAD_H_
