// A doorbell between threads of this process, on a futex.

#ifndef TOOLS_OS_FUTEX_DOORBELL_H_
#define TOOLS_OS_FUTEX_DOORBELL_H_

#include <atomic>
#include <cstdint>

#include "engine/base/doorbell.h"

namespace tools {

// Thread-safe, as engine::Doorbell requires. Ring() makes a system call only while the waiter
// sleeps.
class FutexDoorbell final : public engine::Doorbell {
 public:
  // `spin_count`: iterations for which Wait() spins before it sleeps, because waking a sleeper
  // takes tens of microseconds on a virtual machine. Use 0 where busy threads outnumber cores.
  explicit FutexDoorbell(uint32_t spin_count = 0) : spin_count_(spin_count) {}

  void Ring() override;
  void Wait(int64_t nanos_max) override;

 private:
  enum State : uint32_t { kQuiet, kRung, kAsleep };

  const uint32_t spin_count_;
  std::atomic<uint32_t> state_ = kQuiet;
};

}  // namespace tools

#endif  // TOOLS_OS_FUTEX_DOORBELL_H_
