#include "tools/os/signals.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>

namespace tools {
namespace {

volatile sig_atomic_t is_raised = 0;
std::atomic<engine::Doorbell*> interrupt_bell = nullptr;

extern "C" void NoteSignal(int) {
  is_raised = 1;
  engine::Doorbell* bell = interrupt_bell.load();
  if (bell == nullptr) return;
  const int interrupted_errno = errno;
  bell->Ring();
  errno = interrupted_errno;
}

void Handle(void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

// Static storage, because the signal handler may not allocate. One per thread: abort() raises the
// signal in the thread that calls it.
thread_local std::array<char, 256> note;
thread_local size_t note_bytes = 0;

void WriteNote(int) {
  // If even this write fails, nothing can be done; the program ends either way.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, note.data(), note_bytes);
}

}  // namespace

// No SA_RESTART: blocking calls return with EINTR, so that waiting code checks raised().
Interrupt::Interrupt(engine::Doorbell* bell) {
  is_raised = 0;
  interrupt_bell.store(bell);
  Handle(NoteSignal, static_cast<int>(SA_RESETHAND));
}

Interrupt::~Interrupt() {
  Handle(SIG_DFL, 0);
  interrupt_bell.store(nullptr);
}

bool Interrupt::raised() const { return is_raised != 0; }

AbortNote::AbortNote() {
  note_bytes = 0;
  struct sigaction action = {};
  action.sa_handler = WriteNote;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGABRT, &action, nullptr);
}

AbortNote::~AbortNote() { signal(SIGABRT, SIG_DFL); }

void AbortNote::Set(absl::string_view text) {
  note_bytes = 0;
  const size_t bytes = std::min(text.size(), note.size() - 1);
  std::copy_n(text.begin(), bytes, note.begin());
  note[bytes] = '\n';
  note_bytes = bytes + 1;
}

}  // namespace tools
