#include "tools/os/folder_watch.h"

#include <linux/magic.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cstdint>

#ifndef XFS_SUPER_MAGIC
#define XFS_SUPER_MAGIC 0x58465342
#endif

namespace tools {
namespace {

constexpr int64_t kLookAgainNanos = 500'000;
// Upper bound of the delay when a notification is lost.
constexpr int kNotifiedMillisMax = 100;

bool SeesEveryWriter(const std::string& path) {
  struct statfs info = {};
  if (::statfs(path.c_str(), &info) != 0) return false;
  const auto type = static_cast<uint64_t>(info.f_type);
  return type == EXT4_SUPER_MAGIC || type == XFS_SUPER_MAGIC || type == BTRFS_SUPER_MAGIC ||
         type == TMPFS_MAGIC;
}

}  // namespace

FolderWatch::FolderWatch(const std::string& path, const Interrupt& interrupt)
    : interrupt_(interrupt) {
  if (!SeesEveryWriter(path)) return;
  descriptor_ = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (descriptor_ < 0) return;
  const uint32_t changes = IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE;
  if (::inotify_add_watch(descriptor_, path.c_str(), changes) >= 0) return;
  ::close(descriptor_);
  descriptor_ = -1;
}

FolderWatch::~FolderWatch() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool FolderWatch::Wait() {
  if (interrupt_.raised()) return false;
  if (descriptor_ < 0) {
    const timespec pause = {.tv_sec = 0, .tv_nsec = kLookAgainNanos};
    ::nanosleep(&pause, nullptr);
  } else {
    pollfd wanted = {.fd = descriptor_, .events = POLLIN, .revents = 0};
    if (::poll(&wanted, 1, kNotifiedMillisMax) > 0) {
      alignas(inotify_event) std::array<char, 16384> events;
      while (::read(descriptor_, events.data(), events.size()) > 0) {
      }
    }
  }
  return !interrupt_.raised();
}

}  // namespace tools
