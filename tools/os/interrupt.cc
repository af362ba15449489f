#include "tools/os/interrupt.h"

#include <signal.h>

namespace tools {
namespace {

volatile sig_atomic_t is_raised = 0;

extern "C" void NoteSignal(int) { is_raised = 1; }

void Handle(void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

// No SA_RESTART: blocking calls return with EINTR, so that waiting code checks raised().
Interrupt::Interrupt() {
  is_raised = 0;
  Handle(NoteSignal, static_cast<int>(SA_RESETHAND));
}

Interrupt::~Interrupt() { Handle(SIG_DFL, 0); }

bool Interrupt::raised() const { return is_raised != 0; }

}  // namespace tools
