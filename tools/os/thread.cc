#include "tools/os/thread.h"

#include <pthread.h>
#include <sched.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
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

struct Thread::Handle {
  std::string name;
  std::function<void()> body;
  pthread_t thread = {};

  static void* Run(void* handle) {
    auto& self = *static_cast<Handle*>(handle);
    pthread_setname_np(pthread_self(), self.name.substr(0, kNameCharactersMax).c_str());
    self.body();
    return nullptr;
  }

  // Returns 0, or an error of pthread_create.
  int Start(const pthread_attr_t* attributes) {
    return pthread_create(&thread, attributes, &Run, this);
  }
};

Thread::Thread(const std::string& name, std::function<void()> body, std::function<void()> stop,
               std::optional<int> core)
    : stop_(std::move(stop)), handle_(new Handle{.name = name, .body = std::move(body)}) {
  bool started = false;
  if (core.has_value()) {
    // The thread starts on its core. If it pinned itself, it would first have to run on its
    // creator's core; under a real-time policy it would never get that core while the creator
    // spins.
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    const cpu_set_t cores = OnlyCore(*core);
    pthread_attr_setaffinity_np(&attributes, sizeof(cores), &cores);
    started = handle_->Start(&attributes) == 0;
    pthread_attr_destroy(&attributes);
  }
  if (started) return;
  if (const int error = handle_->Start(nullptr); error != 0) {
    status_ = absl::ResourceExhaustedError(absl::StrCat(
        "cannot start the thread '", name, "': ", std::generic_category().message(error)));
  }
}

Thread::~Thread() {
  if (!status_.ok()) return;
  if (stop_) stop_();
  pthread_join(handle_->thread, nullptr);
}

}  // namespace tools
