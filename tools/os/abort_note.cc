#include "tools/os/abort_note.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace tools {
namespace {

// Static storage, because the signal handler may not allocate. One per thread: abort() raises the
// signal in the thread that calls it.
thread_local std::array<char, 256> note;
thread_local size_t note_bytes = 0;

void WriteNote(int) {
  // If even this write fails, nothing can be done; the program ends either way.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, note.data(), note_bytes);
}

}  // namespace

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
