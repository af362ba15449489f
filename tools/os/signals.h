// The signals that the program handles: a request to end it, by Ctrl-C or SIGTERM; the abort of a
// failed CHECK.

#ifndef TOOLS_OS_SIGNALS_H_
#define TOOLS_OS_SIGNALS_H_

#include "absl/strings/string_view.h"
#include "engine/base/doorbell.h"

namespace tools {

// While an Interrupt exists, the first SIGINT or SIGTERM only sets raised() and interrupts blocking
// calls; the second one ends the program. At most one per process. Owned by a verb that can end
// cleanly. Not thread-safe.
class Interrupt {
 public:
  // Also rings `bell`, if given, so that a wait that begins just after the signal ends as well. It
  // outlives the interrupt, and its Ring() must be allowed in the handler of a signal, as those of
  // doorbells.h are.
  explicit Interrupt(engine::Doorbell* bell = nullptr);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool raised() const;
};

// For programs that try millions of cases and must name the one that failed: while an AbortNote
// exists, a failed CHECK in a thread also writes the text that this thread has set last to standard
// error, after the CHECK's message. At most one per process. Created and destroyed by one thread;
// Set() is thread-safe.
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

#endif  // TOOLS_OS_SIGNALS_H_
