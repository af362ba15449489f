#include "tools/os/thread.h"

#include <cstddef>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tools/os/cores.h"

namespace tools {
namespace {

constexpr size_t kNameCharactersMax = 15;

}  // namespace

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
