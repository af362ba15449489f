#include "tools/os/thread.h"

#include <pthread.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tools/os/cores.h"

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
  try {
    handle_->thread = std::thread([name, core, body = std::move(body)] {
      pthread_setname_np(pthread_self(), name.substr(0, kNameCharactersMax).c_str());
      if (core.has_value()) PinThisThread(*core);
      body();
    });
  } catch (const std::system_error& error) {
    status_ = absl::ResourceExhaustedError(
        absl::StrCat("cannot start the thread '", name, "': ", error.code().message()));
  }
}

Thread::~Thread() {
  if (!status_.ok()) return;
  if (stop_) stop_();
  handle_->thread.join();
}

}  // namespace tools
