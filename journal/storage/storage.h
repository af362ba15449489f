// The journal's only view of the world: files in one directory.
//
// Everything that can fail in the world fails here, as a Status that names the file. Production
// stands on posix_storage, tests on testing/memory_storage, which forgets what was not synced.
//
// Durability words: *written* bytes survive the process, *synced* bytes survive the machine. A new,
// renamed or removed name is durable only after Directory::Sync().

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

// An open file. Not thread-safe: owned by whoever opened it.
class File {
 public:
  File() = default;
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  virtual ~File() = default;  // Closes without a word; what matters was synced before.

  // Reads into `into` from `offset`. Returns the bytes read: fewer than asked only where the file
  // ends, zero beyond its end.
  virtual absl::StatusOr<size_t> Read(uint64_t offset, engine::MutableBytes into) const = 0;

  // Writes all of `bytes` at `offset`; the file grows as needed, a gap reads as zeros. After an
  // error the range holds anything.
  virtual absl::Status Write(uint64_t offset, engine::Bytes bytes) = 0;

  // Writes `parts` one behind the other, from `offset` on: as Write(), in one call of the operating
  // system where it has one.
  virtual absl::Status WriteParts(uint64_t offset, std::span<const engine::Bytes> parts) {
    for (const engine::Bytes part : parts) {
      if (absl::Status status = Write(offset, part); !status.ok()) return status;
      offset += part.size();
    }
    return absl::OkStatus();
  }

  // Returns once everything written, and the size, survives the machine (fdatasync). After an error
  // nothing is known about unsynced bytes, and a second call may lie: the caller stops for good.
  virtual absl::Status Sync() = 0;

  // Has the system give up what it keeps of the file in memory: reads then return what the device
  // has. False: some of it is still there, and what is read may be on no device; a sync that failed
  // once leaves that. To be called when everything was synced.
  virtual bool DropCache() { return false; }

  virtual absl::Status Truncate(uint64_t bytes) = 0;
  virtual absl::StatusOr<uint64_t> Size() const = 0;
  virtual absl::Status Close() = 0;
};

// Held while it lives.
class DirectoryLock {
 public:
  virtual ~DirectoryLock() = default;
};

// A directory, flat: names contain no slash. It is the directory that was opened, also after it was
// renamed. Outlives the files opened through it.
// Not thread-safe; several objects, also in several processes, may look at the same directory.
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

  // The names of all else, sorted: folders, pipes, links.
  virtual absl::StatusOr<std::vector<std::string>> ListOthers() const {
    return std::vector<std::string>();
  }

  // Only regular files are opened, and no links to them.
  // Errors: NOT_FOUND, DATA_LOSS (what has that name is not a regular file).
  virtual absl::StatusOr<std::unique_ptr<File>> OpenForRead(absl::string_view name) const = 0;
  virtual absl::StatusOr<std::unique_ptr<File>> OpenForWrite(absl::string_view name) = 0;

  // Errors: ALREADY_EXISTS.
  virtual absl::StatusOr<std::unique_ptr<File>> Create(absl::string_view name) = 0;

  // Atomic. Errors: ALREADY_EXISTS where there is a `to`; nothing was changed then.
  virtual absl::Status Rename(absl::string_view from, absl::string_view to) = 0;
  // Atomic; a file `to` is replaced.
  virtual absl::Status Replace(absl::string_view from, absl::string_view to) = 0;
  virtual absl::Status Remove(absl::string_view name) = 0;

  // Makes the names durable.
  virtual absl::Status Sync() = 0;

  // The lock of the one writer. It is on the directory itself and on no file in it.
  // Errors: UNAVAILABLE when another writer, in any process, holds it.
  virtual absl::StatusOr<std::unique_ptr<DirectoryLock>> Lock() = 0;

  // The lock of the one program that deletes or replaces what a writer has finished with. The two
  // locks do not exclude each other. Errors: UNAVAILABLE when another one holds it.
  virtual absl::StatusOr<std::unique_ptr<DirectoryLock>> LockForMaintenance() = 0;
};

}  // namespace journal

#endif  // JOURNAL_STORAGE_STORAGE_H_
