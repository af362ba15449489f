#include "tools/os/input_doorbell.h"

#include <immintrin.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace tools {
namespace {

constexpr int64_t kNanosInSecond = 1'000'000'000;

}  // namespace

absl::StatusOr<std::unique_ptr<InputDoorbell>> InputDoorbell::Make(uint32_t spin_count) {
  const int descriptor = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (descriptor < 0) return absl::ErrnoToStatus(errno, "cannot make an eventfd");
  return std::unique_ptr<InputDoorbell>(new InputDoorbell(descriptor, spin_count));
}

InputDoorbell::~InputDoorbell() { ::close(descriptor_); }

void InputDoorbell::Ring() {
  if (state_.exchange(kRung, std::memory_order_seq_cst) == kAsleep) {
    // The write fails only if the eventfd's counter is at its maximum; the sleeper wakes even then.
    [[maybe_unused]] const int result = ::eventfd_write(descriptor_, 1);
  }
}

void InputDoorbell::WaitFor(const Input* input, int64_t nanos_max) {
  for (uint32_t i = 0; i < spin_count_; ++i) {
    if (state_.load(std::memory_order_acquire) == kRung) break;
    _mm_pause();
  }
  uint32_t expected = kQuiet;
  if (state_.compare_exchange_strong(expected, kAsleep, std::memory_order_seq_cst)) {
    pollfd entries[] = {
        {.fd = descriptor_, .events = POLLIN, .revents = 0},
        {.fd = input == nullptr ? -1 : input->descriptor(), .events = POLLIN, .revents = 0}};
    const int64_t nanos = std::max<int64_t>(nanos_max, 0);
    const timespec timeout = {.tv_sec = nanos / kNanosInSecond, .tv_nsec = nanos % kNanosInSecond};
    ::ppoll(entries, 2, &timeout, nullptr);
    // A ring between here and the exchange below leaves its count, so the next wait is short.
    eventfd_t count = 0;
    if (entries[0].revents != 0) ::eventfd_read(descriptor_, &count);
  }
  state_.exchange(kQuiet, std::memory_order_seq_cst);
}

}  // namespace tools
