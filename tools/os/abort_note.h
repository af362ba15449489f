// What else to say where a CHECK stops the program: for programs that try millions of cases and
// must name the one that broke.

#ifndef TOOLS_OS_ABORT_NOTE_H_
#define TOOLS_OS_ABORT_NOTE_H_

#include "absl/strings/string_view.h"

namespace tools {

// While it lives, the text that a thread has set last is written to standard error behind the
// message of a CHECK in that thread. One at a time in a process. Made and destroyed by one thread;
// Set is thread-safe.
class AbortNote {
 public:
  AbortNote();
  ~AbortNote();
  AbortNote(const AbortNote&) = delete;
  AbortNote& operator=(const AbortNote&) = delete;

  // Cut after 255 bytes.
  void Set(absl::string_view text);
};

}  // namespace tools

#endif  // TOOLS_OS_ABORT_NOTE_H_
