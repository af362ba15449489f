#include "journal/storage/posix_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"

namespace journal {
namespace {

constexpr size_t kPartsInACall = 64;
constexpr size_t kPageBytes = 4096;
constexpr size_t kDirectBufferBytes = 1 << 20;
constexpr uint64_t kLookBytes = 64 << 20;

class PosixFile : public File {
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

 protected:
  const std::string& path() const { return path_; }

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

 private:
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

// Writes of whole pages bypass the page cache. All other calls use the file's buffered descriptor,
// which the system keeps coherent with the direct one.
class DirectFile final : public PosixFile {
 public:
  DirectFile(FileDescriptor buffered, FileDescriptor direct, std::string path)
      : PosixFile(std::move(buffered), std::move(path)), direct_(std::move(direct)) {}

  absl::Status WriteParts(uint64_t offset, std::span<const engine::Bytes> parts) override {
    const bool whole_pages =
        offset % kPageBytes == 0 && std::all_of(parts.begin(), parts.end(), [](engine::Bytes part) {
          return part.size() % kPageBytes == 0;
        });
    if (!whole_pages) return PosixFile::WriteParts(offset, parts);
    size_t filled = 0;
    for (engine::Bytes part : parts) {
      while (!part.empty()) {
        const size_t bytes = std::min(part.size(), kDirectBufferBytes - filled);
        std::memcpy(buffer() + filled, part.data(), bytes);
        filled += bytes;
        part = part.subspan(bytes);
        if (filled == kDirectBufferBytes) RETURN_IF_ERROR(WriteBuffer(offset, filled));
      }
    }
    return WriteBuffer(offset, filled);
  }

 private:
  std::byte* buffer() {
    const auto address = reinterpret_cast<uintptr_t>(memory_.data());
    return memory_.data() + (kPageBytes - address % kPageBytes) % kPageBytes;
  }

  // Advances `offset` past the bytes written and sets `filled` to 0.
  absl::Status WriteBuffer(uint64_t& offset, size_t& filled) {
    if (filled == 0) return absl::OkStatus();
    const ssize_t done = RetryOnInterrupt(
        [&] { return ::pwrite(direct_.get(), buffer(), filled, static_cast<off_t>(offset)); });
    if (done < 0) return ErrnoStatus(errno, "write", path());
    if (static_cast<size_t>(done) != filled) {
      return ShortWrite(offset + static_cast<uint64_t>(done), static_cast<size_t>(done), filled);
    }
    offset += filled;
    filled = 0;
    return absl::OkStatus();
  }

  FileDescriptor direct_;
  std::vector<std::byte> memory_ = std::vector<std::byte>(kDirectBufferBytes + kPageBytes);
};

bool IsSameFile(const FileDescriptor& a, const FileDescriptor& b) {
  struct stat of_a;
  struct stat of_b;
  return ::fstat(a.get(), &of_a) == 0 && ::fstat(b.get(), &of_b) == 0 &&
         of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

}  // namespace

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

FileDescriptor::~FileDescriptor() {
  if (fd_ >= 0) ::close(fd_);
}

absl::StatusOr<FileDescriptor> OpenAt(const NameIn& name, int flags) {
  const int fd = RetryOnInterrupt(
      [&] { return ::openat(name.directory, name.name.c_str(), flags | O_CLOEXEC, 0644); });
  if (fd < 0) return ErrnoStatus(errno, "open", name.path);
  return FileDescriptor(fd);
}

namespace {

// Refuses everything but regular files. A pipe has no fixed content, and opening one may wait. A
// link may lead to another journal's file, or to a file that others write.
absl::StatusOr<FileDescriptor> OpenRegularFile(const NameIn& name, int flags) {
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
  return fd;
}

}  // namespace

absl::StatusOr<std::unique_ptr<File>> OpenPosixFile(const NameIn& name, int flags, FileIo io) {
  ASSIGN_OR_RETURN(FileDescriptor fd, OpenRegularFile(name, flags));
  if (io == FileIo::kBuffered) return std::make_unique<PosixFile>(std::move(fd), name.path);
  absl::StatusOr<FileDescriptor> direct = OpenAt(name, O_WRONLY | O_DIRECT | O_NOFOLLOW);
  if (!direct.ok() && (flags & O_EXCL) != 0) ::unlinkat(name.directory, name.name.c_str(), 0);
  if (absl::IsInvalidArgument(direct.status())) {
    return absl::InvalidArgumentError(absl::StrCat(
        name.path, ": no direct I/O there; expected a file system that knows O_DIRECT"));
  }
  RETURN_IF_ERROR(direct.status());
  if (!IsSameFile(fd, *direct)) {
    return absl::UnavailableError(
        absl::StrCat("open ", name.path, ": the file was replaced while it was opened"));
  }
  return std::make_unique<DirectFile>(std::move(fd), *std::move(direct), name.path);
}

}  // namespace journal
