#include "tools/os/futex_doorbell.h"

#include <immintrin.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace tools {
namespace {

constexpr int64_t kNanosInSecond = 1'000'000'000;

// The futex system call uses the atomic's own word.
static_assert(sizeof(std::atomic<uint32_t>) == 4 && std::atomic<uint32_t>::is_always_lock_free);

void Futex(std::atomic<uint32_t>& word, int operation, uint32_t value, const timespec* timeout) {
  ::syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, value, timeout, nullptr, 0);
}

}  // namespace

void FutexDoorbell::Ring() {
  if (state_.exchange(kRung, std::memory_order_seq_cst) == kAsleep) {
    Futex(state_, FUTEX_WAKE, 1, nullptr);
  }
}

void FutexDoorbell::Wait(int64_t nanos_max) {
  for (uint32_t i = 0; i < spin_count_; ++i) {
    if (state_.load(std::memory_order_acquire) == kRung) break;
    _mm_pause();
  }
  uint32_t expected = kQuiet;
  if (state_.compare_exchange_strong(expected, kAsleep, std::memory_order_seq_cst)) {
    const int64_t nanos = std::max<int64_t>(nanos_max, 0);
    const timespec timeout = {.tv_sec = nanos / kNanosInSecond, .tv_nsec = nanos % kNanosInSecond};
    Futex(state_, FUTEX_WAIT, kAsleep, &timeout);
  }
  state_.exchange(kQuiet, std::memory_order_seq_cst);
}

}  // namespace tools
