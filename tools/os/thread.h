// A thread with a name, which is told to end and waited for when its owner goes.

#ifndef TOOLS_OS_THREAD_H_
#define TOOLS_OS_THREAD_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"

namespace tools {

// Owned by the thread that made it, and destroyed there.
class Thread {
 public:
  // Runs `body` under `name` (15 characters show), on one core if one is named; a core that cannot
  // be had is no error. `stop` makes `body` return; it is called by the destructor and may come
  // after `body` has returned by itself. Without one, the destructor waits until it does.
  Thread(const std::string& name, std::function<void()> body, std::function<void()> stop = {},
         std::optional<int> core = std::nullopt);
  ~Thread();
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  // OK, or RESOURCE_EXHAUSTED: the system has no thread to give, and `body` never runs.
  const absl::Status& status() const { return status_; }

 private:
  struct Handle;
  const std::function<void()> stop_;
  std::unique_ptr<Handle> handle_;
  absl::Status status_;
};

}  // namespace tools

#endif  // TOOLS_OS_THREAD_H_
