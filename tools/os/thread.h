// A thread with a name, which is told to end and waited for when its owner goes.

#ifndef TOOLS_OS_THREAD_H_
#define TOOLS_OS_THREAD_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace tools {

// Owned by the thread that made it, and destroyed there.
class Thread {
 public:
  // Runs `body` under `name` (15 characters show), on one core if one is named; a core that cannot
  // be had is no error. `stop` makes `body` return; it is called by the destructor and may come
  // after `body` has returned by itself.
  Thread(const std::string& name, std::function<void()> body, std::function<void()> stop,
         std::optional<int> core = std::nullopt);
  ~Thread();
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

 private:
  struct Handle;
  const std::function<void()> stop_;
  std::unique_ptr<Handle> handle_;
};

}  // namespace tools

#endif  // TOOLS_OS_THREAD_H_
