// A value of one thread that another asks for, now and then: it is copied only when asked.
//
//   Ask() ─► is_asked() ─► Answer(value) ─► Take()

#ifndef TOOLS_FEED_ASKED_VALUE_H_
#define TOOLS_FEED_ASKED_VALUE_H_

#include <atomic>
#include <optional>
#include <utility>

#include "tools/os/thread.h"

namespace tools {

// Thread-safe: one thread asks and takes, another answers.
template <typename T>
class AskedValue {
 public:
  void Ask() { is_asked_.store(true, std::memory_order_relaxed); }
  // The answer that came last; nullopt if none has come since the last call.
  std::optional<T> Take() {
    const MutexLock lock(mutex_);
    return std::exchange(answer_, std::nullopt);
  }

  bool is_asked() const { return is_asked_.load(std::memory_order_relaxed); }
  void Answer(T value) {
    is_asked_.store(false, std::memory_order_relaxed);
    const MutexLock lock(mutex_);
    answer_.emplace(std::move(value));
  }

 private:
  std::atomic<bool> is_asked_ = false;
  Mutex mutex_;
  std::optional<T> answer_;  // Guarded by mutex_.
};

}  // namespace tools

#endif  // TOOLS_FEED_ASKED_VALUE_H_
