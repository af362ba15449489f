#include "tools/os/thread.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"

namespace tools {
namespace {

constexpr size_t kNameCharactersMax = 15;

cpu_set_t OnlyCore(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<size_t>(core), &set);
  return set;
}

}  // namespace

std::vector<int> UsableCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return {0};
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  }
  return cores;
}

bool PinThisThread(int core) {
  const cpu_set_t set = OnlyCore(core);
  return sched_setaffinity(0, sizeof(set), &set) == 0;
}

Thread::Thread(const std::string& name, std::function<void()> body, std::function<void()> stop,
               std::optional<int> core)
    : name_(name), body_(std::move(body)), stop_(std::move(stop)) {
  bool started = false;
  if (core.has_value()) {
    // The thread starts on its core. If it pinned itself, it would first have to run on its
    // creator's core; under a real-time policy it would never get that core while the creator
    // spins.
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    const cpu_set_t cores = OnlyCore(*core);
    pthread_attr_setaffinity_np(&attributes, sizeof(cores), &cores);
    started = pthread_create(&thread_, &attributes, &Run, this) == 0;
    pthread_attr_destroy(&attributes);
  }
  if (started) return;
  if (const int error = pthread_create(&thread_, nullptr, &Run, this); error != 0) {
    status_ = absl::ResourceExhaustedError(absl::StrCat(
        "cannot start the thread '", name, "': ", std::generic_category().message(error)));
  }
}

Thread::~Thread() {
  if (!status_.ok()) return;
  if (stop_) stop_();
  pthread_join(thread_, nullptr);
}

void* Thread::Run(void* thread) {
  const auto& self = *static_cast<const Thread*>(thread);
  pthread_setname_np(pthread_self(), self.name_.substr(0, kNameCharactersMax).c_str());
  self.body_();
  return nullptr;
}

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
