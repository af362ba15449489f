// Adds a note to the message of a failed CHECK: for programs that try millions of cases and must
// name the one that failed.

#ifndef TOOLS_OS_ABORT_NOTE_H_
#define TOOLS_OS_ABORT_NOTE_H_

#include "absl/strings/string_view.h"

namespace tools {

// While an AbortNote exists, a failed CHECK in a thread also writes the text that this thread has
// set last to standard error, after the CHECK's message. At most one per process. Created and
// destroyed by one thread; Set() is thread-safe.
class AbortNote {
 public:
  AbortNote();
  ~AbortNote();
  AbortNote(const AbortNote&) = delete;
  AbortNote& operator=(const AbortNote&) = delete;

  // Replaces this thread's note. Truncates it to 255 bytes.
  void Set(absl::string_view text);
};

}  // namespace tools

#endif  // TOOLS_OS_ABORT_NOTE_H_
