#include "tools/os/futex_doorbell.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

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

}  // namespace tools
