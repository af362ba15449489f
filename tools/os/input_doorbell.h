// A doorbell for a thread that waits for a ring or for input, whichever is first.
//
//   Ring() ───────► eventfd ─┐
//                            ├─► WaitOrInput()
//   input arrives ───────────┘

#ifndef TOOLS_OS_INPUT_DOORBELL_H_
#define TOOLS_OS_INPUT_DOORBELL_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "tools/os/futex_doorbell.h"
#include "tools/os/input.h"

namespace tools {

class InputDoorbell final : public SpinningDoorbell {
 public:
  // Errors: those of eventfd(2).
  static absl::StatusOr<std::unique_ptr<InputDoorbell>> Make(uint32_t spin_count);
  ~InputDoorbell() override;

  void Wait(int64_t nanos_max) override { WaitFor(nullptr, nanos_max); }

  // As Wait(), but also returns when `input` is ready.
  void WaitOrInput(const Input& input, int64_t nanos_max) { WaitFor(&input, nanos_max); }

 private:
  InputDoorbell(int descriptor, uint32_t spin_count)
      : SpinningDoorbell(spin_count), descriptor_(descriptor) {}
  void WaitFor(const Input* input, int64_t nanos_max);
  void Wake() override;

  const int descriptor_;
};

}  // namespace tools

#endif  // TOOLS_OS_INPUT_DOORBELL_H_
