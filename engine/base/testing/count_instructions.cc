#include "engine/base/testing/count_instructions.h"

#include <signal.h>
#include <ucontext.h>

#include "engine/base/check.h"

namespace engine {
namespace {

constexpr int64_t kTrapFlag = 0x100;

uint64_t count = 0;

void OnTrap(int, siginfo_t*, void* context) {
  if (++count < kInstructionsMax) return;
  static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL] &= ~kTrapFlag;
}

// Below the stack pointer there may be values of the calling function.
void SetTrapFlag() {
  asm volatile("sub $128, %%rsp; pushfq; orq $0x100, (%%rsp); popfq; lea 128(%%rsp), %%rsp" ::
                   : "cc", "memory");
}
void ClearTrapFlag() {
  asm volatile("sub $128, %%rsp; pushfq; andq $-0x101, (%%rsp); popfq; lea 128(%%rsp), %%rsp" ::
                   : "cc", "memory");
}

}  // namespace

uint64_t CountInstructions(absl::FunctionRef<void()> work) {
  struct sigaction action = {};
  struct sigaction before = {};
  action.sa_sigaction = &OnTrap;
  action.sa_flags = SA_SIGINFO;
  CHECK_EQ(sigaction(SIGTRAP, &action, &before), 0);
  count = 0;
  SetTrapFlag();
  work();
  ClearTrapFlag();
  CHECK_EQ(sigaction(SIGTRAP, &before, nullptr), 0);
  return count;
}

}  // namespace engine
