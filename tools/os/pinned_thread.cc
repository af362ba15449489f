#include "tools/os/pinned_thread.h"

#include <sched.h>

#include <thread>
#include <utility>

namespace tools {

struct PinnedThread::Thread {
  explicit Thread(std::thread begun) : thread(std::move(begun)) {}
  std::thread thread;
};

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
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  return sched_setaffinity(0, sizeof(set), &set) == 0;
}

PinnedThread::PinnedThread(int core, std::function<void()> body)
    : thread_(std::make_unique<Thread>(std::thread([core, body = std::move(body)] {
        PinThisThread(core);
        body();
      }))) {}

PinnedThread::~PinnedThread() { thread_->thread.join(); }

}  // namespace tools
