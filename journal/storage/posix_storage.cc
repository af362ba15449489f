#include "journal/storage/posix_storage.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "journal/storage/posix_file.h"
#include "journal/storage/storage.h"

namespace journal {
namespace {

constexpr char kLockName[] = "lock";
// The zeros that become a segment, see journal/format/format.h.
constexpr absl::string_view kSpareFileName = "next.zeros";

absl::Status SyncDirectory(const std::string& path) {
  ASSIGN_OR_RETURN(const FileDescriptor fd, OpenAt(path, O_RDONLY | O_DIRECTORY));
  if (RetryOnInterrupt([&] { return ::fsync(fd.get()); }) != 0) {
    return ErrnoStatus(errno, "fsync", path);
  }
  return absl::OkStatus();
}

class PosixLock final : public DirectoryLock {
 public:
  explicit PosixLock(FileDescriptor fd) : fd_(std::move(fd)) {}

 private:
  FileDescriptor fd_;  // flock goes with the descriptor.
};

class PosixDirectory final : public Directory {
 public:
  PosixDirectory(std::string path, bool writable, FileIo io)
      : path_(std::move(path)), writable_(writable), io_(io) {}

  absl::string_view path() const override { return path_; }

  absl::StatusOr<std::vector<std::string>> List() const override {
    std::vector<std::string> names;
    std::error_code error;
    std::filesystem::directory_iterator entry(path_, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
      std::error_code ignored;  // An entry that vanished meanwhile is not a file.
      if (entry->is_regular_file(ignored)) names.push_back(entry->path().filename().string());
    }
    if (error) return ErrnoStatus(error.value(), "list", path_);
    std::sort(names.begin(), names.end());
    return names;
  }

  absl::StatusOr<std::unique_ptr<File>> OpenForRead(absl::string_view name) const override {
    return OpenFile(name, O_RDONLY);
  }

  absl::StatusOr<std::unique_ptr<File>> OpenForWrite(absl::string_view name) override {
    RETURN_IF_ERROR(CheckWritable());
    return OpenFile(name, O_RDWR);
  }

  absl::StatusOr<std::unique_ptr<File>> Create(absl::string_view name) override {
    RETURN_IF_ERROR(CheckWritable());
    return OpenFile(name, O_RDWR | O_CREAT | O_EXCL);
  }

  absl::Status Rename(absl::string_view from, absl::string_view to) override {
    RETURN_IF_ERROR(CheckWritable());
    if (::rename(PathOf(from).c_str(), PathOf(to).c_str()) != 0) {
      return ErrnoStatus(errno, "rename", PathOf(from));
    }
    return absl::OkStatus();
  }

  absl::Status Remove(absl::string_view name) override {
    RETURN_IF_ERROR(CheckWritable());
    if (::unlink(PathOf(name).c_str()) != 0) return ErrnoStatus(errno, "remove", PathOf(name));
    return absl::OkStatus();
  }

  absl::Status Sync() override {
    RETURN_IF_ERROR(CheckWritable());
    return SyncDirectory(path_);
  }

  absl::StatusOr<std::unique_ptr<DirectoryLock>> Lock() override {
    RETURN_IF_ERROR(CheckWritable());
    ASSIGN_OR_RETURN(FileDescriptor fd, OpenAt(PathOf(kLockName), O_RDWR | O_CREAT));
    if (RetryOnInterrupt([&] { return ::flock(fd.get(), LOCK_EX | LOCK_NB); }) != 0) {
      if (errno == EWOULDBLOCK) {
        return absl::UnavailableError(absl::StrCat(path_, ": another writer holds the lock"));
      }
      return ErrnoStatus(errno, "lock", path_);
    }
    return std::make_unique<PosixLock>(std::move(fd));
  }

 private:
  std::string PathOf(absl::string_view name) const { return absl::StrCat(path_, "/", name); }

  absl::Status CheckWritable() const {
    if (writable_) return absl::OkStatus();
    return absl::FailedPreconditionError(absl::StrCat(path_, ": opened read-only"));
  }

  absl::StatusOr<std::unique_ptr<File>> OpenFile(absl::string_view name, int flags) const {
    // Only segments are written in whole pages.
    const bool direct = io_ == FileIo::kDirect && (flags & O_RDWR) != 0 &&
                        (absl::EndsWith(name, ".tape") || name == kSpareFileName);
    return OpenPosixFile(PathOf(name), flags, direct ? FileIo::kDirect : FileIo::kBuffered);
  }

  const std::string path_;
  const bool writable_;
  const FileIo io_;
};

absl::Status MakeDirectory(const std::string& path) {
  if (::mkdir(path.c_str(), 0755) == 0) {
    const std::string parent = std::filesystem::path(path).parent_path().string();
    return SyncDirectory(parent.empty() ? "." : parent);
  }
  if (errno != EEXIST) return ErrnoStatus(errno, "make directory", path);
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) {
    return absl::FailedPreconditionError(absl::StrCat(path, ": not a directory"));
  }
  // A writer that stopped before it had begun leaves a lock that nobody holds.
  bool is_empty = true;
  for (auto it = std::filesystem::directory_iterator(path, error);
       !error && it != std::filesystem::directory_iterator(); it.increment(error)) {
    is_empty &= it->path().filename() == kLockName;
  }
  if (error) return ErrnoStatus(error.value(), "list", path);
  if (is_empty) return absl::OkStatus();
  return absl::AlreadyExistsError(
      absl::StrCat(path, ": exists and is not empty; a new journal needs a folder of its own"));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Directory>> OpenPosixDirectory(const std::string& path,
                                                              DirectoryMode mode, FileIo io) {
  // "runs/today/" means the same directory; its parent is "runs".
  std::string plain = path;
  while (plain.size() > 1 && plain.back() == '/') plain.pop_back();
  if (mode == DirectoryMode::kCreate) RETURN_IF_ERROR(MakeDirectory(plain));
  std::error_code error;
  const auto status = std::filesystem::status(plain, error);
  if (!std::filesystem::exists(status)) {
    return absl::NotFoundError(absl::StrCat(plain, ": no such directory"));
  }
  if (!std::filesystem::is_directory(status)) {
    return absl::FailedPreconditionError(absl::StrCat(plain, ": not a directory"));
  }
  return std::make_unique<PosixDirectory>(std::move(plain), mode != DirectoryMode::kReadOnly, io);
}

}  // namespace journal
