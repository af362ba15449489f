// A doorbell for a thread that waits for a ring or for input, whichever is first.
//
//   Ring() ───────► eventfd ─┐
//                            ├─► WaitOrInput()
//   input arrives ───────────┘

#ifndef TOOLS_OS_INPUT_DOORBELL_H_
#define TOOLS_OS_INPUT_DOORBELL_H_

#include <atomic>
#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "engine/base/doorbell.h"
#include "tools/os/input.h"

namespace tools {

// Thread-safe, as engine::Doorbell requires. Ring() makes a system call only while the waiter
// sleeps.
class InputDoorbell final : public engine::Doorbell {
 public:
  // `spin_count`: iterations to spin before sleeping, as in FutexDoorbell. Errors: those of
  // eventfd(2).
  static absl::StatusOr<std::unique_ptr<InputDoorbell>> Make(uint32_t spin_count);
  ~InputDoorbell() override;

  void Ring() override;
  void Wait(int64_t nanos_max) override { WaitFor(nullptr, nanos_max); }

  // As Wait(), but also returns when `input` is ready.
  void WaitOrInput(const Input& input, int64_t nanos_max) { WaitFor(&input, nanos_max); }

 private:
  enum State : uint32_t { kQuiet, kRung, kAsleep };

  InputDoorbell(int descriptor, uint32_t spin_count)
      : descriptor_(descriptor), spin_count_(spin_count) {}
  void WaitFor(const Input* input, int64_t nanos_max);

  const int descriptor_;
  const uint32_t spin_count_;
  std::atomic<uint32_t> state_ = kQuiet;
};

}  // namespace tools

#endif  // TOOLS_OS_INPUT_DOORBELL_H_
