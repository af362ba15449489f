#include "tools/os/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "tools/os/thread.h"

namespace tools {

size_t ProcessorCount() { return std::max(1u, std::thread::hardware_concurrency()); }

void RunParallel(size_t count, size_t thread_count, const std::function<void(size_t)>& work,
                 const std::function<void()>& tend) {
  thread_count = std::min(thread_count, count);
  std::atomic<size_t> next = 0;
  const auto take_items = [&] {
    for (size_t item = next++; item < count; item = next++) work(item);
  };
  std::mutex mutex;
  std::condition_variable ended;
  std::vector<std::unique_ptr<Thread>> threads;
  size_t running = 0;  // Guarded by `mutex`.
  std::unique_lock lock(mutex);
  while (thread_count > 1 && threads.size() < thread_count) {
    auto thread = std::make_unique<Thread>("worker", [&] {
      take_items();
      const std::lock_guard lock_at_end(mutex);
      --running;
      ended.notify_one();
    });
    if (!thread->status().ok()) break;  // The threads started so far do all the work.
    threads.push_back(std::move(thread));
    ++running;
  }
  if (threads.empty()) return take_items();
  while (!ended.wait_for(lock, std::chrono::milliseconds(100), [&] { return running == 0; })) {
    if (!tend) continue;
    lock.unlock();
    tend();
    lock.lock();
  }
}

}  // namespace tools
