// A directory of the operating system's file system: openat, renameat2, pread, pwrite, fdatasync.
//
// The path is resolved once, when the directory is opened. All later calls use the descriptor, so
// they reach the same directory even after it is renamed and another one has its path.
//
// Retries EINTR. Returns every other error, and a short write, with the path and the system's
// reason. RESOURCE_EXHAUSTED: the disk is full.

#ifndef JOURNAL_STORAGE_POSIX_STORAGE_H_
#define JOURNAL_STORAGE_POSIX_STORAGE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "journal/storage/storage.h"

namespace journal {

enum class DirectoryMode {
  kReadOnly,   // Must exist. Every call that changes something is refused.
  kCreate,     // Must not exist, or be empty; creates it.
  kReadWrite,  // Must exist.
};

// Returns once the directory's own name is durable, unless `mode` is kReadOnly. The const functions
// of the result may be called from several threads simultaneously.
// Errors: NOT_FOUND, ALREADY_EXISTS (kCreate: it exists and is not empty), FAILED_PRECONDITION (not
// a directory), PERMISSION_DENIED.
absl::StatusOr<std::unique_ptr<Directory>> OpenPosixDirectory(const std::string& path,
                                                              DirectoryMode mode);

}  // namespace journal

#endif  // JOURNAL_STORAGE_POSIX_STORAGE_H_
