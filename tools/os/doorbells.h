// Doorbells whose waiter spins before it sleeps: between threads of this process, on a futex, and
// for a thread that waits for a ring or for input.

#ifndef TOOLS_OS_DOORBELLS_H_
#define TOOLS_OS_DOORBELLS_H_

#include <immintrin.h>
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "engine/base/doorbell.h"
#include "tools/os/input.h"

namespace tools {

// Thread-safe, as engine::Doorbell requires. Ring() makes a system call only while the waiter
// sleeps.
class SpinningDoorbell : public engine::Doorbell {
 public:
  void Ring() final {
    if (state_.exchange(kRung, std::memory_order_seq_cst) == kAsleep) Wake();
  }

 protected:
  // A spinning waiter offers its core to others each so many iterations, a microsecond or two:
  // otherwise a client that has just been woken may wait for the end of all of them.
  static constexpr uint32_t kYieldCount = 32;

  enum State : uint32_t { kQuiet, kRung, kAsleep };

  // `spin_count`: iterations for which a wait spins before it sleeps, because waking a sleeper
  // takes tens of microseconds on a virtual machine. Use 0 where busy threads outnumber cores.
  explicit SpinningDoorbell(uint32_t spin_count) : spin_count_(spin_count) {}

  // `sleep` receives the time at most, and returns when woken or spuriously. Wake() may be called
  // before it: then it returns immediately.
  template <typename Sleep>
  void SpinThen(int64_t nanos_max, Sleep sleep) {
    for (uint32_t i = 0; i < spin_count_; ++i) {
      if (state_.load(std::memory_order_acquire) == kRung) break;
      _mm_pause();
      if (i % kYieldCount == kYieldCount - 1) sched_yield();
    }
    uint32_t expected = kQuiet;
    if (state_.compare_exchange_strong(expected, kAsleep, std::memory_order_seq_cst)) {
      constexpr int64_t kNanosInSecond = 1'000'000'000;
      const int64_t nanos = std::max<int64_t>(nanos_max, 0);
      sleep(timespec{.tv_sec = nanos / kNanosInSecond, .tv_nsec = nanos % kNanosInSecond});
    }
    state_.exchange(kQuiet, std::memory_order_seq_cst);
  }
  virtual void Wake() = 0;

  std::atomic<uint32_t>& state() { return state_; }

 private:
  const uint32_t spin_count_;
  std::atomic<uint32_t> state_ = kQuiet;
};

class FutexDoorbell final : public SpinningDoorbell {
 public:
  explicit FutexDoorbell(uint32_t spin_count = 0) : SpinningDoorbell(spin_count) {}

  void Wait(int64_t nanos_max) override;

 private:
  void Wake() override;
};

// Wakes at a ring or at input, whichever is first.
//
//   Ring() ───────► eventfd ─┐
//                            ├─► WaitOrInput()
//   input arrives ───────────┘
class InputDoorbell final : public SpinningDoorbell {
 public:
  // Errors: those of eventfd(2).
  static absl::StatusOr<std::unique_ptr<InputDoorbell>> Make(uint32_t spin_count);
  ~InputDoorbell() override;

  void Wait(int64_t nanos_max) override { WaitFor(nullptr, nanos_max); }

  // As Wait(), but also returns when `input` is ready.
  void WaitOrInput(const Input& input, int64_t nanos_max) { WaitFor(&input, nanos_max); }

  // As Wait(), but sleeps by `sleep(timespec)`, which also has to return when descriptor() becomes
  // readable. Does not read the descriptor: `sleep` waits for an edge.
  template <typename Sleep>
  void WaitBy(int64_t nanos_max, Sleep sleep) {
    SpinThen(nanos_max, sleep);
  }
  int descriptor() const { return descriptor_; }

 private:
  InputDoorbell(int descriptor, uint32_t spin_count)
      : SpinningDoorbell(spin_count), descriptor_(descriptor) {}
  void WaitFor(const Input* input, int64_t nanos_max);
  void Wake() override;

  const int descriptor_;
};

}  // namespace tools

#endif  // TOOLS_OS_DOORBELLS_H_
