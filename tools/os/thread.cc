#include "tools/os/thread.h"

#include <pthread.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "tools/os/pinned_thread.h"

namespace tools {
namespace {

constexpr size_t kNameCharactersMax = 15;

}  // namespace

struct Thread::Handle {
  std::thread thread;
};

Thread::Thread(const std::string& name, std::function<void()> body, std::function<void()> stop,
               std::optional<int> core)
    : stop_(std::move(stop)), handle_(std::make_unique<Handle>()) {
  handle_->thread = std::thread([name, core, body = std::move(body)] {
    pthread_setname_np(pthread_self(), name.substr(0, kNameCharactersMax).c_str());
    if (core.has_value()) PinThisThread(*core);
    body();
  });
}

Thread::~Thread() {
  stop_();
  handle_->thread.join();
}

}  // namespace tools
