// The journal's only access to the outside world: files in one directory.
//
// Every I/O error is reported here, as a Status that names the file. Production uses posix_storage;
// tests use testing/memory_storage, which can drop all bytes that were not synced.
//
// Durability terms: *written* bytes survive a crash of the process, *synced* bytes survive a power
// cut. A new, renamed or removed name is durable only after Directory::Sync().

#ifndef JOURNAL_STORAGE_STORAGE_H_
#define JOURNAL_STORAGE_STORAGE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"

namespace journal {

// A file of zeros that becomes the next segment; not part of the journal until then.
inline constexpr char kSpareFileName[] = "next.zeros";

// An open file. Not thread-safe: owned by its caller.
class File {
 public:
  File() = default;
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  virtual ~File() = default;  // Closes the file and ignores errors; callers sync before.

  // Reads from `offset` into `into`. Returns the number of bytes read: less than into.size() only
  // where the file ends, 0 beyond its end.
  virtual absl::StatusOr<size_t> Read(uint64_t offset, engine::MutableBytes into) const = 0;

  // Writes all of `bytes` at `offset`. The file grows as needed; a gap reads as zeros. After an
  // error the content of the range is undefined.
  virtual absl::Status Write(uint64_t offset, engine::Bytes bytes) = 0;

  // Writes `parts` consecutively from `offset` on, as Write() does; with one system call where the
  // operating system has one.
  virtual absl::Status WriteParts(uint64_t offset, std::span<const engine::Bytes> parts) {
    for (const engine::Bytes part : parts) {
      if (absl::Status status = Write(offset, part); !status.ok()) return status;
      offset += part.size();
    }
    return absl::OkStatus();
  }

  // Returns once all written bytes and the file's size are on the medium (fdatasync). After an
  // error the state of unsynced bytes is unknown, and a second call may wrongly report success: the
  // caller never uses the file for writing again.
  virtual absl::Status Sync() = 0;

  // Evicts the file from the page cache, so that reads return what is on the device. False: some
  // pages stay cached, and reads may return bytes that are on no device, as after a failed sync.
  // Call it only after Sync().
  virtual bool DropCache() { return false; }

  virtual absl::Status Truncate(uint64_t bytes) = 0;
  virtual absl::StatusOr<uint64_t> Size() const = 0;
  virtual absl::Status Close() = 0;
};

// Holds the lock for the lifetime of the object.
class DirectoryLock {
 public:
  virtual ~DirectoryLock() = default;
};

// A flat directory: names contain no slash. The object stays bound to the directory that was
// opened, even after that is renamed. Outlives the files opened through it.
// Not thread-safe, except where an implementation says so. Several objects, in one process or more,
// may refer to the same directory.
class Directory {
 public:
  Directory() = default;
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  virtual ~Directory() = default;

  // For messages.
  virtual absl::string_view path() const = 0;

  // The names of regular files, sorted.
  virtual absl::StatusOr<std::vector<std::string>> List() const = 0;

  // The names of all other entries (folders, pipes, links), sorted.
  virtual absl::StatusOr<std::vector<std::string>> ListOthers() const {
    return std::vector<std::string>();
  }

  // Open regular files only, and no links to them.
  // Errors: NOT_FOUND, DATA_LOSS (the name is not a regular file).
  virtual absl::StatusOr<std::unique_ptr<File>> OpenForRead(absl::string_view name) const = 0;
  virtual absl::StatusOr<std::unique_ptr<File>> OpenForWrite(absl::string_view name) = 0;

  // Errors: ALREADY_EXISTS.
  virtual absl::StatusOr<std::unique_ptr<File>> Create(absl::string_view name) = 0;

  // Atomic. Errors: ALREADY_EXISTS (`to` exists; nothing is changed).
  virtual absl::Status Rename(absl::string_view from, absl::string_view to) = 0;
  // Atomic; replaces a file `to`.
  virtual absl::Status Replace(absl::string_view from, absl::string_view to) = 0;
  // Errors: NOT_FOUND.
  virtual absl::Status Remove(absl::string_view name) = 0;

  // Makes all names in the directory durable.
  virtual absl::Status Sync() = 0;

  // Takes the writer lock. It is on the directory itself, not on a file in it.
  // Errors: UNAVAILABLE (another writer, in any process, holds it).
  virtual absl::StatusOr<std::unique_ptr<DirectoryLock>> Lock() = 0;

  // Takes the maintenance lock, for a program that deletes or replaces sealed segments. It does not
  // exclude the writer lock. Errors: UNAVAILABLE (another program holds it).
  virtual absl::StatusOr<std::unique_ptr<DirectoryLock>> LockForMaintenance() = 0;
};

}  // namespace journal

#endif  // JOURNAL_STORAGE_STORAGE_H_
