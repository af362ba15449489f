// Waits until a file in a folder changes.
//
// inotify, where writers are on the same kernel: wakes in microseconds, and an idle journal costs
// nothing. On file systems that others write to from outside (NFS, FUSE, overlays) it would sleep
// through their writes, so there it looks again every half millisecond.

#ifndef TOOLS_OS_FOLDER_WATCH_H_
#define TOOLS_OS_FOLDER_WATCH_H_

#include <memory>
#include <string>

#include "tools/os/interrupt.h"
#include "tools/os/waiter.h"

namespace tools {

// Not thread-safe: owned by whoever follows.
class FolderWatch final : public Waiter {
 public:
  // Watches from now on: look once more before the first Wait(). `interrupt` outlives it.
  FolderWatch(const std::string& path, const Interrupt& interrupt);
  ~FolderWatch() override;

  // False once the program was asked to end.
  bool Wait() override;

  bool is_notified() const { return descriptor_ >= 0; }

 private:
  void Drain() const;

  const Interrupt& interrupt_;
  int descriptor_ = -1;  // Of inotify; -1: looks again and again.
};

}  // namespace tools

#endif  // TOOLS_OS_FOLDER_WATCH_H_
