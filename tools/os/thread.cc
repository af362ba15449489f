#include "tools/os/thread.h"

#include <sched.h>

#include <cstddef>
#include <system_error>
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

}  // namespace tools
