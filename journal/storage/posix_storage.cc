#include "journal/storage/posix_storage.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"

namespace journal {
namespace {

constexpr int kOpenDirectory = O_RDONLY | O_DIRECTORY;
constexpr absl::string_view kFirstSegmentAside = "segment-000000.torn.";

absl::Status FsyncOf(const FileDescriptor& directory, absl::string_view path) {
  if (RetryOnInterrupt([&] { return ::fsync(directory.get()); }) == 0) return absl::OkStatus();
  return ErrnoStatus(errno, "fsync", path);
}

// Calls `found` with each name in the directory, in any order.
absl::Status ForEachName(const FileDescriptor& directory, const std::string& path,
                         absl::FunctionRef<void(const struct dirent&)> found) {
  // Opens a second descriptor, because the read position belongs to the open file description.
  ASSIGN_OR_RETURN(FileDescriptor fd, OpenAt({directory.get(), ".", path}, kOpenDirectory));
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(fd.get()), &::closedir);
  if (stream == nullptr) return ErrnoStatus(errno, "list", path);
  fd.Release();  // The stream closes it.
  while (true) {
    errno = 0;
    const struct dirent* const entry = ::readdir(stream.get());
    if (entry == nullptr) break;
    const absl::string_view name = entry->d_name;
    if (name != "." && name != "..") found(*entry);
  }
  return errno == 0 ? absl::OkStatus() : ErrnoStatus(errno, "list", path);
}

// Each lock has its own descriptor, which the system closes when the process ends.
class PosixLock final : public DirectoryLock {
 public:
  explicit PosixLock(FileDescriptor fd) : fd_(std::move(fd)) {}

 private:
  FileDescriptor fd_;
};

class PosixDirectory final : public Directory {
 public:
  PosixDirectory(FileDescriptor fd, std::string path, bool writable, FileIo io)
      : fd_(std::move(fd)), path_(std::move(path)), writable_(writable), io_(io) {}

  absl::string_view path() const override { return path_; }

  absl::StatusOr<std::vector<std::string>> List() const override { return ListEntries(true); }

  absl::StatusOr<std::vector<std::string>> ListOthers() const override {
    return ListEntries(false);
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
    absl::Status status = RenameAs(from, to, RENAME_NOREPLACE);
    if (!absl::IsInvalidArgument(status)) return status;
    // The file system has no RENAME_NOREPLACE. Between the check and the rename only the locks keep
    // other programs out.
    struct stat info;
    if (::fstatat(fd_.get(), At(to).name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0) {
      return ErrnoStatus(EEXIST, "rename", At(to).path);
    }
    return RenameAs(from, to, 0);
  }

  absl::Status Replace(absl::string_view from, absl::string_view to) override {
    return RenameAs(from, to, 0);
  }

  absl::Status Remove(absl::string_view name) override {
    RETURN_IF_ERROR(CheckWritable());
    const NameIn file = At(name);
    if (::unlinkat(file.directory, file.name.c_str(), 0) == 0) return absl::OkStatus();
    return ErrnoStatus(errno, "remove", file.path);
  }

  absl::Status Sync() override {
    RETURN_IF_ERROR(CheckWritable());
    return FsyncOf(fd_, path_);
  }

  absl::StatusOr<std::unique_ptr<DirectoryLock>> Lock() override {
    ASSIGN_OR_RETURN(FileDescriptor fd, OpenForLock());
    if (RetryOnInterrupt([&] { return ::flock(fd.get(), LOCK_EX | LOCK_NB); }) != 0) {
      if (errno == EWOULDBLOCK) {
        return absl::UnavailableError(absl::StrCat(path_, ": another writer holds the lock"));
      }
      return ErrnoStatus(errno, "lock", path_);
    }
    return std::make_unique<PosixLock>(std::move(fd));
  }

  // The writer uses the directory's only exclusive lock. This is a shared lock: it is taken first,
  // and kept only if no other program has it too. Of two programs that call this simultaneously,
  // at most one succeeds.
  absl::StatusOr<std::unique_ptr<DirectoryLock>> LockForMaintenance() override {
    ASSIGN_OR_RETURN(FileDescriptor fd, OpenForLock());
    struct flock shared = {};
    shared.l_type = F_RDLCK;
    struct flock other = {};
    other.l_type = F_WRLCK;
    if (RetryOnInterrupt([&] { return ::fcntl(fd.get(), F_OFD_SETLK, &shared); }) != 0 ||
        RetryOnInterrupt([&] { return ::fcntl(fd.get(), F_OFD_GETLK, &other); }) != 0) {
      return ErrnoStatus(errno, "maintenance lock", path_);
    }
    if (other.l_type != F_UNLCK) {
      return absl::UnavailableError(
          absl::StrCat(path_,
                       ": another program holds the maintenance lock: it deletes, "
                       "repairs or replaces segments"));
    }
    return std::make_unique<PosixLock>(std::move(fd));
  }

 private:
  NameIn At(absl::string_view name) const {
    std::string path = absl::StrCat(path_, "/", name);
    return {fd_.get(), std::string(name), std::move(path)};
  }

  // Lists regular files, or all other entries.
  absl::StatusOr<std::vector<std::string>> ListEntries(bool regular) const {
    std::vector<std::string> names;
    RETURN_IF_ERROR(ForEachName(fd_, path_, [&](const struct dirent& entry) {
      const std::optional<bool> is_regular = IsRegularFile(entry);
      if (is_regular == regular) names.emplace_back(entry.d_name);
    }));
    std::sort(names.begin(), names.end());
    return names;
  }

  absl::Status CheckWritable() const {
    if (writable_) return absl::OkStatus();
    return absl::FailedPreconditionError(absl::StrCat(path_, ": opened read-only"));
  }

  // Nothing if the name has been removed meanwhile.
  std::optional<bool> IsRegularFile(const struct dirent& entry) const {
    if (entry.d_type != DT_UNKNOWN) return entry.d_type == DT_REG;
    struct stat info;
    if (::fstatat(fd_.get(), entry.d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
    return S_ISREG(info.st_mode);
  }

  absl::StatusOr<std::unique_ptr<File>> OpenFile(absl::string_view name, int flags) const {
    // Only segments and the spare file are written in whole pages.
    const bool direct = io_ == FileIo::kDirect && (flags & O_RDWR) != 0 &&
                        (absl::EndsWith(name, ".tape") || name == kSpareFileName);
    return OpenPosixFile(At(name), flags, direct ? FileIo::kDirect : FileIo::kBuffered);
  }

  absl::Status RenameAs(absl::string_view from, absl::string_view to, unsigned flags) {
    RETURN_IF_ERROR(CheckWritable());
    const NameIn source = At(from);
    const NameIn target = At(to);
    if (::renameat2(source.directory, source.name.c_str(), target.directory, target.name.c_str(),
                    flags) == 0) {
      return absl::OkStatus();
    }
    const int error = errno;
    return ErrnoStatus(error, "rename", absl::StrCat(source.path, " to ", target.name));
  }

  absl::StatusOr<FileDescriptor> OpenForLock() const {
    RETURN_IF_ERROR(CheckWritable());
    return OpenAt({fd_.get(), ".", path_}, kOpenDirectory);
  }

  const FileDescriptor fd_;
  const std::string path_;
  const bool writable_;
  const FileIo io_;
};

// Ignores first segments that were set aside because their writer stopped before the first segment.
absl::Status CheckIsEmpty(const FileDescriptor& directory, const std::string& path) {
  bool is_empty = true;
  RETURN_IF_ERROR(ForEachName(directory, path, [&](const struct dirent& entry) {
    is_empty &= absl::StartsWith(entry.d_name, kFirstSegmentAside);
  }));
  if (is_empty) return absl::OkStatus();
  return absl::AlreadyExistsError(
      absl::StrCat(path, ": exists and is not empty; a new journal needs a folder of its own"));
}

// Makes the directory's own name durable, also if another program has just created it.
absl::Status SyncParent(const FileDescriptor& directory, const std::string& path) {
  const std::string parent_path = absl::StrCat(path, "/..");
  const auto parent = OpenAt({directory.get(), "..", parent_path}, kOpenDirectory);
  if (parent.ok()) return FsyncOf(*parent, parent_path);
  if (!absl::IsPermissionDenied(parent.status())) return parent.status();
  // A parent that this process may not read can only be synced with its whole file system.
  if (::syncfs(directory.get()) == 0) return absl::OkStatus();
  return ErrnoStatus(errno, "syncfs", path);
}

absl::StatusOr<FileDescriptor> OpenDirectory(const std::string& path) {
  absl::StatusOr<FileDescriptor> fd = OpenAt({AT_FDCWD, path, path}, kOpenDirectory);
  if (absl::IsNotFound(fd.status())) {
    return absl::NotFoundError(absl::StrCat(path, ": no such directory"));
  }
  if (absl::IsFailedPrecondition(fd.status())) {
    return absl::FailedPreconditionError(absl::StrCat(path, ": not a directory"));
  }
  return fd;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Directory>> OpenPosixDirectory(const std::string& path,
                                                              DirectoryMode mode, FileIo io) {
  std::string plain = path;
  while (plain.size() > 1 && plain.back() == '/') plain.pop_back();
  if (mode == DirectoryMode::kCreate && ::mkdir(plain.c_str(), 0755) != 0 && errno != EEXIST) {
    return ErrnoStatus(errno, "make directory", plain);
  }
  ASSIGN_OR_RETURN(FileDescriptor fd, OpenDirectory(plain));
  if (mode == DirectoryMode::kCreate) RETURN_IF_ERROR(CheckIsEmpty(fd, plain));
  if (mode != DirectoryMode::kReadOnly) {
    RETURN_IF_ERROR(SyncParent(fd, plain));
  }
  return std::make_unique<PosixDirectory>(std::move(fd), std::move(plain),
                                          mode != DirectoryMode::kReadOnly, io);
}

}  // namespace journal
