// Waits until a file in a folder changes.
//
// Where all writers use the same kernel, this uses inotify: it wakes within microseconds, and an
// idle journal costs nothing. On other file systems (NFS, FUSE, overlays), writers may be outside
// this kernel, and inotify misses their writes, so there Wait() returns every half millisecond.

#ifndef TOOLS_OS_FOLDER_WATCH_H_
#define TOOLS_OS_FOLDER_WATCH_H_

#include <memory>
#include <string>

#include "tools/os/signals.h"

namespace tools {

// How a follower waits for more input.
class Waiter {
 public:
  virtual ~Waiter() = default;

  // Returns true when there may be something new, possibly spuriously; false: stop following.
  virtual bool Wait() = 0;
};

// Not thread-safe: owned by the thread that follows.
class FolderWatch final : public Waiter {
 public:
  // Watches from now on: the caller checks the folder once more before the first Wait().
  // `interrupt` outlives it.
  FolderWatch(const std::string& path, const Interrupt& interrupt);
  ~FolderWatch() override;

  // Returns false once an interrupt was raised.
  bool Wait() override;

  bool is_notified() const { return descriptor_ >= 0; }

 private:
  const Interrupt& interrupt_;
  int descriptor_ = -1;  // The inotify descriptor; -1: polls.
};

}  // namespace tools

#endif  // TOOLS_OS_FOLDER_WATCH_H_
