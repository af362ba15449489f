// A file of the operating system, and helpers for system calls.

#ifndef JOURNAL_STORAGE_POSIX_FILE_H_
#define JOURNAL_STORAGE_POSIX_FILE_H_

#include <cerrno>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "journal/storage/storage.h"

namespace journal {

enum class FileIo {
  kBuffered,  // Through the page cache.
  kDirect,    // Whole pages go to the device (O_DIRECT), through a buffer that the file owns.
};

// Returns a Status with the message "what path: reason": RESOURCE_EXHAUSTED for a full disk,
// UNAVAILABLE for one that fails.
absl::Status ErrnoStatus(int error, absl::string_view what, absl::string_view path);

template <typename Call>
auto RetryOnInterrupt(Call call) {
  decltype(call()) result;
  do {
    result = call();
  } while (result < 0 && errno == EINTR);
  return result;
}

// Owns a descriptor. Movable.
class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  ~FileDescriptor();
  int get() const { return fd_; }
  int Release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

// A name in an open directory.
struct NameIn {
  int directory;  // Its descriptor, or AT_FDCWD; not owned.
  std::string name;
  std::string path;  // For messages.
};

// Calls openat(2) with O_CLOEXEC.
absl::StatusOr<FileDescriptor> OpenAt(const NameIn& name, int flags);

// Errors: the file system's; INVALID_ARGUMENT if it does not support direct I/O, in which case a
// file that the call created is removed again.
absl::StatusOr<std::unique_ptr<File>> OpenPosixFile(const NameIn& name, int flags, FileIo io);

}  // namespace journal

#endif  // JOURNAL_STORAGE_POSIX_FILE_H_
