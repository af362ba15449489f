#include "journal/storage/posix_storage.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"

namespace journal {
namespace {

constexpr int kOpenDirectory = O_RDONLY | O_DIRECTORY;
constexpr absl::string_view kFirstSegmentAside = "segment-000000.torn.";
constexpr size_t kPartsInACall = 64;
constexpr size_t kPageBytes = 4096;
constexpr uint64_t kLookBytes = 64 << 20;

// ---- System calls

// Returns a Status with the message "what path: reason": RESOURCE_EXHAUSTED for a full disk,
// UNAVAILABLE for one that fails.
absl::Status ErrnoStatus(int error, absl::string_view what, absl::string_view path) {
  const absl::Status plain = absl::ErrnoToStatus(error, absl::StrCat(what, " ", path));
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return absl::ResourceExhaustedError(plain.message());
    case EIO:
      return absl::UnavailableError(plain.message());
    default:
      return plain;
  }
}

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
  ~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
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
absl::StatusOr<FileDescriptor> OpenAt(const NameIn& name, int flags) {
  const int fd = RetryOnInterrupt(
      [&] { return ::openat(name.directory, name.name.c_str(), flags | O_CLOEXEC, 0644); });
  if (fd < 0) return ErrnoStatus(errno, "open", name.path);
  return FileDescriptor(fd);
}

// ---- Files

class PosixFile final : public File {
 public:
  PosixFile(FileDescriptor fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}

  absl::StatusOr<size_t> Read(uint64_t offset, engine::MutableBytes into) const override {
    size_t done = 0;
    while (done < into.size()) {
      const ssize_t bytes = RetryOnInterrupt([&] {
        return ::pread(fd_.get(), into.data() + done, into.size() - done,
                       static_cast<off_t>(offset + done));
      });
      if (bytes < 0) return ErrnoStatus(errno, "read", path_);
      if (bytes == 0) break;
      done += static_cast<size_t>(bytes);
    }
    return done;
  }

  absl::Status Write(uint64_t offset, engine::Bytes bytes) override {
    return WriteParts(offset, {&bytes, 1});
  }

  absl::Status WriteParts(uint64_t offset, std::span<const engine::Bytes> parts) override {
    std::array<struct iovec, kPartsInACall> vector;
    while (!parts.empty()) {
      const size_t count = std::min(parts.size(), vector.size());
      size_t bytes = 0;
      for (size_t i = 0; i < count; ++i) {
        vector[i] = {const_cast<std::byte*>(parts[i].data()), parts[i].size()};
        bytes += parts[i].size();
      }
      const ssize_t done = RetryOnInterrupt([&] {
        return ::pwritev(fd_.get(), vector.data(), static_cast<int>(count),
                         static_cast<off_t>(offset));
      });
      if (done < 0) return ErrnoStatus(errno, "write", path_);
      if (static_cast<size_t>(done) != bytes) {
        return ShortWrite(offset + static_cast<uint64_t>(done), static_cast<size_t>(done), bytes);
      }
      offset += bytes;
      parts = parts.subspan(count);
    }
    return absl::OkStatus();
  }

  // Never retried: a second fdatasync does not write the pages that a failed one dropped.
  absl::Status Sync() override {
    if (::fdatasync(fd_.get()) != 0) return ErrnoStatus(errno, "fdatasync", path_);
    return absl::OkStatus();
  }

  bool DropCache() override {
    struct stat info;
    if (::posix_fadvise(fd_.get(), 0, 0, POSIX_FADV_DONTNEED) != 0) return false;
    if (::fstat(fd_.get(), &info) != 0) return false;
    const auto bytes = static_cast<uint64_t>(info.st_size);
    for (uint64_t begin = 0; begin < bytes; begin += kLookBytes) {
      if (HasCached(begin, std::min(kLookBytes, bytes - begin))) return false;
    }
    return true;
  }

  absl::Status Truncate(uint64_t bytes) override {
    if (RetryOnInterrupt([&] { return ::ftruncate(fd_.get(), static_cast<off_t>(bytes)); }) != 0) {
      return ErrnoStatus(errno, "truncate", path_);
    }
    return absl::OkStatus();
  }

  absl::StatusOr<uint64_t> Size() const override {
    struct stat info;
    if (::fstat(fd_.get(), &info) != 0) return ErrnoStatus(errno, "stat", path_);
    return static_cast<uint64_t>(info.st_size);
  }

  absl::Status Close() override {
    if (const int fd = fd_.Release(); fd >= 0 && ::close(fd) != 0) {
      return ErrnoStatus(errno, "close", path_);
    }
    return absl::OkStatus();
  }

 private:
  // A short write is not continued, because its cause may also have damaged the part before it. The
  // write of one more byte returns the reason, if there is one.
  absl::Status ShortWrite(uint64_t offset, size_t done, size_t wanted) {
    const std::byte zero{0};
    if (::pwrite(fd_.get(), &zero, 1, static_cast<off_t>(offset)) < 0) {
      return ErrnoStatus(errno, "write", path_);
    }
    return absl::UnavailableError(
        absl::StrCat("write ", path_, ": ", done, " of ", wanted, " bytes were written"));
  }

  // Whether any page is in the page cache; true also if the system does not tell.
  bool HasCached(uint64_t begin, size_t bytes) const {
    void* const mapped =
        ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, fd_.get(), static_cast<off_t>(begin));
    if (mapped == MAP_FAILED) return true;
    std::vector<unsigned char> pages((bytes + kPageBytes - 1) / kPageBytes);
    const bool is_known = ::mincore(mapped, bytes, pages.data()) == 0;
    ::munmap(mapped, bytes);
    return !is_known || std::any_of(pages.begin(), pages.end(),
                                    [](unsigned char page) { return (page & 1) != 0; });
  }

  FileDescriptor fd_;
  const std::string path_;
};

// Refuses everything but regular files. A pipe has no fixed content, and opening one may wait. A
// link may lead to another journal's file, or to a file that others write.
absl::StatusOr<std::unique_ptr<File>> OpenFile(const NameIn& name, int flags) {
  absl::StatusOr<FileDescriptor> fd = OpenAt(name, flags | O_NOFOLLOW | O_NONBLOCK);
  struct stat info = {};
  const int known = fd.ok()
                        ? ::fstat(fd->get(), &info)
                        : ::fstatat(name.directory, name.name.c_str(), &info, AT_SYMLINK_NOFOLLOW);
  const bool creates = (flags & O_EXCL) != 0;
  if (known == 0 && !S_ISREG(info.st_mode) && !creates) {
    return absl::DataLossError(absl::StrCat(
        name.path, S_ISLNK(info.st_mode)
                       ? ": a link, not a regular file; 'cp -rL' makes a copy without links"
                       : ": not a regular file"));
  }
  RETURN_IF_ERROR(fd.status());
  return std::make_unique<PosixFile>(*std::move(fd), name.path);
}

// ---- Directories

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
  PosixDirectory(FileDescriptor fd, std::string path, bool writable)
      : fd_(std::move(fd)), path_(std::move(path)), writable_(writable) {}

  absl::string_view path() const override { return path_; }

  absl::StatusOr<std::vector<std::string>> List() const override { return ListEntries(true); }

  absl::StatusOr<std::vector<std::string>> ListOthers() const override {
    return ListEntries(false);
  }

  absl::StatusOr<std::unique_ptr<File>> OpenForRead(absl::string_view name) const override {
    return OpenFile(At(name), O_RDONLY);
  }

  absl::StatusOr<std::unique_ptr<File>> OpenForWrite(absl::string_view name) override {
    RETURN_IF_ERROR(CheckWritable());
    return OpenFile(At(name), O_RDWR);
  }

  absl::StatusOr<std::unique_ptr<File>> Create(absl::string_view name) override {
    RETURN_IF_ERROR(CheckWritable());
    return OpenFile(At(name), O_RDWR | O_CREAT | O_EXCL);
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
                                                              DirectoryMode mode) {
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
                                          mode != DirectoryMode::kReadOnly);
}

}  // namespace journal
