#include "bench/direct_storage.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "journal/storage/posix_storage.h"

namespace bench {
namespace {

constexpr size_t kPageBytes = 4096;
constexpr size_t kBufferBytes = 1 << 20;

class DirectFile final : public journal::File {
 public:
  // Owns the descriptor `direct`, of the same file as `buffered`.
  DirectFile(std::unique_ptr<journal::File> buffered, int direct)
      : buffered_(std::move(buffered)), direct_(direct) {}
  ~DirectFile() override { ::close(direct_); }

  absl::StatusOr<size_t> Read(uint64_t offset, engine::MutableBytes into) const override {
    return buffered_->Read(offset, into);
  }
  absl::Status Write(uint64_t offset, engine::Bytes bytes) override {
    return WriteParts(offset, {&bytes, 1});
  }
  absl::Status WriteParts(uint64_t offset, std::span<const engine::Bytes> parts) override {
    const bool whole_pages =
        offset % kPageBytes == 0 && std::all_of(parts.begin(), parts.end(), [](engine::Bytes part) {
          return part.size() % kPageBytes == 0;
        });
    if (!whole_pages) return buffered_->WriteParts(offset, parts);
    size_t filled = 0;
    for (engine::Bytes part : parts) {
      while (!part.empty()) {
        const size_t bytes = std::min(part.size(), kBufferBytes - filled);
        std::memcpy(buffer() + filled, part.data(), bytes);
        filled += bytes;
        part = part.subspan(bytes);
        if (filled == kBufferBytes) RETURN_IF_ERROR(WriteBuffer(offset, filled));
      }
    }
    return WriteBuffer(offset, filled);
  }
  absl::Status Sync() override { return buffered_->Sync(); }
  bool DropCache() override { return buffered_->DropCache(); }
  absl::Status Truncate(uint64_t bytes) override { return buffered_->Truncate(bytes); }
  absl::StatusOr<uint64_t> Size() const override { return buffered_->Size(); }
  absl::Status Close() override { return buffered_->Close(); }

 private:
  std::byte* buffer() {
    const auto address = reinterpret_cast<uintptr_t>(memory_.data());
    return memory_.data() + (kPageBytes - address % kPageBytes) % kPageBytes;
  }

  // Advances `offset` past the bytes written and sets `filled` to 0.
  absl::Status WriteBuffer(uint64_t& offset, size_t& filled) {
    if (filled == 0) return absl::OkStatus();
    const ssize_t done = ::pwrite(direct_, buffer(), filled, static_cast<off_t>(offset));
    if (done < 0) return absl::ErrnoToStatus(errno, "write past the page cache");
    if (static_cast<size_t>(done) != filled) return absl::UnavailableError("a short write");
    offset += filled;
    filled = 0;
    return absl::OkStatus();
  }

  const std::unique_ptr<journal::File> buffered_;
  const int direct_;
  std::vector<std::byte> memory_ = std::vector<std::byte>(kBufferBytes + kPageBytes);
};

class DirectDirectory final : public journal::Directory {
 public:
  explicit DirectDirectory(std::unique_ptr<journal::Directory> inner) : inner_(std::move(inner)) {}

  absl::string_view path() const override { return inner_->path(); }
  absl::StatusOr<std::vector<std::string>> List() const override { return inner_->List(); }
  absl::StatusOr<std::vector<std::string>> ListOthers() const override {
    return inner_->ListOthers();
  }
  absl::StatusOr<std::unique_ptr<journal::File>> OpenForRead(
      absl::string_view name) const override {
    return inner_->OpenForRead(name);
  }
  absl::StatusOr<std::unique_ptr<journal::File>> OpenForWrite(absl::string_view name) override {
    return Direct(name, inner_->OpenForWrite(name));
  }
  absl::StatusOr<std::unique_ptr<journal::File>> Create(absl::string_view name) override {
    return Direct(name, inner_->Create(name));
  }
  absl::Status Rename(absl::string_view from, absl::string_view to) override {
    return inner_->Rename(from, to);
  }
  absl::Status Replace(absl::string_view from, absl::string_view to) override {
    return inner_->Replace(from, to);
  }
  absl::Status Remove(absl::string_view name) override { return inner_->Remove(name); }
  absl::Status Sync() override { return inner_->Sync(); }
  absl::StatusOr<std::unique_ptr<journal::DirectoryLock>> Lock() override { return inner_->Lock(); }
  absl::StatusOr<std::unique_ptr<journal::DirectoryLock>> LockForMaintenance() override {
    return inner_->LockForMaintenance();
  }

 private:
  // Only segments and the spare file are written in whole pages.
  absl::StatusOr<std::unique_ptr<journal::File>> Direct(
      absl::string_view name, absl::StatusOr<std::unique_ptr<journal::File>> file) const {
    const bool has_pages = absl::EndsWith(name, ".tape") || name == journal::kSpareFileName;
    if (!file.ok() || !has_pages) return file;
    const std::string path = absl::StrCat(inner_->path(), "/", name);
    const int direct = ::open(path.c_str(), O_WRONLY | O_DIRECT | O_CLOEXEC);
    if (direct >= 0) return std::make_unique<DirectFile>(*std::move(file), direct);
    if (errno != EINVAL) return absl::ErrnoToStatus(errno, absl::StrCat("open ", path));
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": no direct I/O there; expected a file system that knows O_DIRECT"));
  }

  const std::unique_ptr<journal::Directory> inner_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<journal::Directory>> CreateDirectDirectory(const std::string& path) {
  ASSIGN_OR_RETURN(auto inner, journal::OpenPosixDirectory(path, journal::DirectoryMode::kCreate));
  return std::make_unique<DirectDirectory>(std::move(inner));
}

}  // namespace bench
