#include "journal/testing/faulty_storage.h"

#include <cstddef>
#include <span>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "journal/testing/tear_model.h"

namespace journal {
namespace {

class FaultyFile final : public File {
 public:
  FaultyFile(std::unique_ptr<File> inner, std::string name, const FaultyDirectory& directory)
      : inner_(std::move(inner)), name_(std::move(name)), directory_(directory) {}

  absl::StatusOr<size_t> Read(uint64_t offset, engine::MutableBytes into) const override {
    RETURN_IF_ERROR(directory_.Count("read"));
    ASSIGN_OR_RETURN(const size_t bytes, inner_->Read(offset, into));
    if (directory_.LiesAboutRead()) FlipABit(into.first(bytes));
    return bytes;
  }

  absl::Status Write(uint64_t offset, engine::Bytes bytes) override {
    const absl::Status status = directory_.Count("write");
    if (status.ok()) {
      ASSIGN_OR_RETURN(const uint64_t size, inner_->Size());
      const uint64_t end = offset + bytes.size();
      if (end > size) RETURN_IF_ERROR(directory_.TakeSpace(end - size));
      return directory_.LiesAboutWrite() ? LyingWrite(offset, bytes) : inner_->Write(offset, bytes);
    }
    if (directory_.plan().short_writes) {
      inner_->Write(offset, bytes.first(bytes.size() / 2)).IgnoreError();
    }
    return status;
  }

  absl::Status WriteParts(uint64_t offset, std::span<const engine::Bytes> parts) override {
    std::vector<std::byte> bytes;
    for (const engine::Bytes part : parts) bytes.insert(bytes.end(), part.begin(), part.end());
    return Write(offset, bytes);
  }

  absl::Status Sync() override {
    const absl::Status status = directory_.Count("sync");
    if (status.ok()) return inner_->Sync();
    if (directory_.plan().on_failed_sync) directory_.plan().on_failed_sync(name_);
    return status;
  }

  bool DropCache() override { return directory_.Count("drop cache").ok() && inner_->DropCache(); }

  absl::Status Truncate(uint64_t bytes) override {
    RETURN_IF_ERROR(directory_.Count("truncate"));
    ASSIGN_OR_RETURN(const uint64_t size, inner_->Size());
    if (bytes < size) directory_.GiveSpace(size - bytes);
    return inner_->Truncate(bytes);
  }

  absl::StatusOr<uint64_t> Size() const override {
    RETURN_IF_ERROR(directory_.Count("size"));
    return inner_->Size();
  }

  absl::Status Close() override {
    RETURN_IF_ERROR(directory_.Count("close"));
    return inner_->Close();
  }

 private:
  void FlipABit(engine::MutableBytes bytes) const {
    if (bytes.empty()) return;
    bytes[directory_.LieBelow(bytes.size())] ^= static_cast<std::byte>(1 << directory_.LieBelow(8));
  }

  absl::Status LyingWrite(uint64_t offset, engine::Bytes bytes) {
    switch (directory_.plan().lie) {
      case Lie::kWriteGoesElsewhere: {
        ASSIGN_OR_RETURN(const uint64_t size, inner_->Size());
        return inner_->Write(kPageBytes * directory_.LieBelow(size / kPageBytes + 1), bytes);
      }
      case Lie::kWriteGoesToAnotherFile: {
        auto other = directory_.OpenAnother(name_);
        return other.ok() ? (*other)->Write(offset, bytes) : absl::OkStatus();
      }
      case Lie::kBitFlipsInWrite: {
        std::vector<std::byte> flipped(bytes.begin(), bytes.end());
        FlipABit(flipped);
        return inner_->Write(offset, flipped);
      }
      default:
        return absl::OkStatus();
    }
  }

  const std::unique_ptr<File> inner_;
  const std::string name_;
  const FaultyDirectory& directory_;
};

}  // namespace

absl::Status FaultyDirectory::Count(absl::string_view what) const {
  const uint64_t call = calls_++;
  if (!plan_.failing_call.has_value() || call < *plan_.failing_call ||
      (call > *plan_.failing_call && !plan_.stays_broken)) {
    return absl::OkStatus();
  }
  failed_ = true;
  return absl::Status(plan_.code, absl::StrCat(what, ": injected fault at call ", call));
}

bool FaultyDirectory::LiesAboutWrite() const {
  if (plan_.lie == Lie::kNone || plan_.lie == Lie::kBitFlipsInRead) return false;
  const bool lies = writes_++ == plan_.lying_call;
  has_lied_ |= lies;
  return lies;
}

bool FaultyDirectory::LiesAboutRead() const {
  if (plan_.lie != Lie::kBitFlipsInRead) return false;
  const bool lies = reads_++ == plan_.lying_call;
  has_lied_ |= lies;
  return lies;
}

absl::StatusOr<std::unique_ptr<File>> FaultyDirectory::OpenAnother(absl::string_view name) const {
  ASSIGN_OR_RETURN(std::vector<std::string> names, inner_.List());
  std::erase(names, std::string(name));
  if (names.empty()) return absl::NotFoundError("no other file");
  return inner_.OpenForWrite(names[LieBelow(names.size())]);
}

absl::Status FaultyDirectory::TakeSpace(uint64_t bytes) const {
  if (!free_bytes_.has_value()) return absl::OkStatus();
  if (*free_bytes_ < bytes) return absl::ResourceExhaustedError("write: no space left on device");
  *free_bytes_ -= bytes;
  return absl::OkStatus();
}

void FaultyDirectory::GiveSpace(uint64_t bytes) const {
  if (free_bytes_.has_value()) *free_bytes_ += bytes;
}

absl::StatusOr<std::unique_ptr<File>> FaultyDirectory::Wrap(
    absl::StatusOr<std::unique_ptr<File>> file, absl::string_view name) const {
  if (!file.ok()) return file;
  return std::make_unique<FaultyFile>(*std::move(file), std::string(name), *this);
}

absl::StatusOr<std::vector<std::string>> FaultyDirectory::List() const {
  RETURN_IF_ERROR(Count("list"));
  return inner_.List();
}

absl::StatusOr<std::unique_ptr<File>> FaultyDirectory::OpenForRead(absl::string_view name) const {
  RETURN_IF_ERROR(Count("open"));
  return Wrap(inner_.OpenForRead(name), name);
}

absl::StatusOr<std::unique_ptr<File>> FaultyDirectory::OpenForWrite(absl::string_view name) {
  RETURN_IF_ERROR(Count("open"));
  return Wrap(inner_.OpenForWrite(name), name);
}

absl::StatusOr<std::unique_ptr<File>> FaultyDirectory::Create(absl::string_view name) {
  RETURN_IF_ERROR(Count("create"));
  return Wrap(inner_.Create(name), name);
}

absl::Status FaultyDirectory::Rename(absl::string_view from, absl::string_view to) {
  RETURN_IF_ERROR(Count("rename"));
  return inner_.Rename(from, to);
}

absl::Status FaultyDirectory::Replace(absl::string_view from, absl::string_view to) {
  RETURN_IF_ERROR(Count("replace"));
  return inner_.Replace(from, to);
}

absl::Status FaultyDirectory::Remove(absl::string_view name) {
  RETURN_IF_ERROR(Count("remove"));
  return inner_.Remove(name);
}

absl::Status FaultyDirectory::Sync() {
  RETURN_IF_ERROR(Count("sync directory"));
  return inner_.Sync();
}

absl::StatusOr<std::unique_ptr<DirectoryLock>> FaultyDirectory::Lock() {
  RETURN_IF_ERROR(Count("lock"));
  return inner_.Lock();
}

absl::StatusOr<std::unique_ptr<DirectoryLock>> FaultyDirectory::LockForMaintenance() {
  RETURN_IF_ERROR(Count("maintenance lock"));
  return inner_.LockForMaintenance();
}

}  // namespace journal
