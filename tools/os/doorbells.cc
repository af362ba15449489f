#include "tools/os/doorbells.h"

#include <linux/futex.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "absl/status/status.h"

namespace tools {
namespace {

// The futex system call uses the atomic's own word.
static_assert(sizeof(std::atomic<uint32_t>) == 4 && std::atomic<uint32_t>::is_always_lock_free);

void Futex(std::atomic<uint32_t>& word, int operation, uint32_t value, const timespec* timeout) {
  ::syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, value, timeout, nullptr, 0);
}

}  // namespace

void FutexDoorbell::Wake() { Futex(state(), FUTEX_WAKE, 1, nullptr); }

void FutexDoorbell::Wait(int64_t nanos_max) {
  SpinThen(nanos_max,
           [&](const timespec& timeout) { Futex(state(), FUTEX_WAIT, kAsleep, &timeout); });
}

absl::StatusOr<std::unique_ptr<InputDoorbell>> InputDoorbell::Make(uint32_t spin_count) {
  const int descriptor = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (descriptor < 0) return absl::ErrnoToStatus(errno, "cannot make an eventfd");
  return std::unique_ptr<InputDoorbell>(new InputDoorbell(descriptor, spin_count));
}

InputDoorbell::~InputDoorbell() { ::close(descriptor_); }

void InputDoorbell::Wake() {
  // The write fails only if the eventfd's counter is at its maximum; the sleeper wakes even then.
  [[maybe_unused]] const int result = ::eventfd_write(descriptor_, 1);
}

void InputDoorbell::WaitFor(const Input* input, int64_t nanos_max) {
  SpinThen(nanos_max, [&](const timespec& timeout) {
    pollfd entries[] = {
        {.fd = descriptor_, .events = POLLIN, .revents = 0},
        {.fd = input == nullptr ? -1 : input->descriptor(), .events = POLLIN, .revents = 0}};
    ::ppoll(entries, 2, &timeout, nullptr);
    // A ring between here and the end of the wait leaves its count, so the next wait is short.
    eventfd_t count = 0;
    if (entries[0].revents != 0) ::eventfd_read(descriptor_, &count);
  });
}

}  // namespace tools
