// A directory of the operating system's file system: openat, renameat2, pread, pwrite, fdatasync.
//
// Its path is resolved once, when it is opened. From then on its descriptor is the directory, also
// when it is renamed and another one is put in its place.
//
// EINTR is retried; every other error is returned with the path and the system's reason, and so is
// a write that comes up short. RESOURCE_EXHAUSTED: disk full.

#ifndef JOURNAL_STORAGE_POSIX_STORAGE_H_
#define JOURNAL_STORAGE_POSIX_STORAGE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "journal/storage/posix_file.h"
#include "journal/storage/storage.h"

namespace journal {

enum class DirectoryMode {
  kReadOnly,   // Must exist. Every call that changes anything is refused.
  kCreate,     // Must not exist, or be empty; it is made.
  kReadWrite,  // Must exist.
};

// Returns once the directory's own name is durable, unless it is kReadOnly.
// Errors: NOT_FOUND, ALREADY_EXISTS (kCreate: it is there and not empty), FAILED_PRECONDITION (not
// a directory), PERMISSION_DENIED.
absl::StatusOr<std::unique_ptr<Directory>> OpenPosixDirectory(const std::string& path,
                                                              DirectoryMode mode,
                                                              FileIo io = FileIo::kBuffered);

}  // namespace journal

#endif  // JOURNAL_STORAGE_POSIX_STORAGE_H_
