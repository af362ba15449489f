#include "tools/os/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace tools {

size_t ProcessorCount() { return std::max(1u, std::thread::hardware_concurrency()); }

void RunParallel(size_t count, size_t thread_count, const std::function<void(size_t)>& work,
                 const std::function<void()>& tend) {
  thread_count = std::min(thread_count, count);
  if (thread_count <= 1) {
    for (size_t i = 0; i < count; ++i) work(i);
    return;
  }
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  std::condition_variable ended;
  size_t running = thread_count;  // Guarded by `mutex`.
  std::vector<std::jthread> threads;
  for (size_t i = 0; i < thread_count; ++i) {
    threads.emplace_back([&] {
      for (size_t item = next++; item < count; item = next++) work(item);
      const std::lock_guard lock(mutex);
      --running;
      ended.notify_one();
    });
  }
  std::unique_lock lock(mutex);
  while (!ended.wait_for(lock, std::chrono::milliseconds(100), [&] { return running == 0; })) {
    if (!tend) continue;
    lock.unlock();
    tend();
    lock.lock();
  }
}

}  // namespace tools
