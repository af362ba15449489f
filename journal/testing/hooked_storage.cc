#include "journal/testing/hooked_storage.h"

#include <cstddef>
#include <cstdint>

#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"

namespace journal {
namespace {

class HookedFile final : public File {
 public:
  HookedFile(const HookedDirectory& directory, std::unique_ptr<File> inner)
      : directory_(directory), inner_(std::move(inner)) {}

  absl::StatusOr<size_t> Read(uint64_t offset, engine::MutableBytes into) const override {
    directory_.BeforeRead();
    ASSIGN_OR_RETURN(const size_t bytes, inner_->Read(offset, into));
    directory_.CountRead(bytes);
    return bytes;
  }
  absl::Status Write(uint64_t offset, engine::Bytes bytes) override {
    directory_.BeforeChange();
    return inner_->Write(offset, bytes);
  }
  absl::Status Sync() override {
    directory_.BeforeChange();
    return inner_->Sync();
  }
  bool DropCache() override { return inner_->DropCache(); }
  absl::Status Truncate(uint64_t bytes) override {
    directory_.BeforeChange();
    return inner_->Truncate(bytes);
  }
  absl::StatusOr<uint64_t> Size() const override {
    directory_.BeforeRead();
    return inner_->Size();
  }
  absl::Status Close() override { return inner_->Close(); }

 private:
  const HookedDirectory& directory_;
  const std::unique_ptr<File> inner_;
};

}  // namespace

void HookedDirectory::Call(const std::function<void()>& hook) const {
  if (std::exchange(is_in_hook_, true)) return;
  hook();
  is_in_hook_ = false;
}

std::unique_ptr<File> HookedDirectory::Wrap(std::unique_ptr<File> file) const {
  return std::make_unique<HookedFile>(*this, std::move(file));
}

absl::StatusOr<std::vector<std::string>> HookedDirectory::List() const {
  BeforeRead();
  return inner_.List();
}

absl::StatusOr<std::unique_ptr<File>> HookedDirectory::OpenForRead(absl::string_view name) const {
  BeforeRead();
  ASSIGN_OR_RETURN(std::unique_ptr<File> file, inner_.OpenForRead(name));
  return Wrap(std::move(file));
}

absl::StatusOr<std::unique_ptr<File>> HookedDirectory::OpenForWrite(absl::string_view name) {
  ASSIGN_OR_RETURN(std::unique_ptr<File> file, inner_.OpenForWrite(name));
  return Wrap(std::move(file));
}

absl::StatusOr<std::unique_ptr<File>> HookedDirectory::Create(absl::string_view name) {
  BeforeChange();
  ASSIGN_OR_RETURN(std::unique_ptr<File> file, inner_.Create(name));
  return Wrap(std::move(file));
}

absl::Status HookedDirectory::Rename(absl::string_view from, absl::string_view to) {
  BeforeChange();
  return inner_.Rename(from, to);
}

absl::Status HookedDirectory::Replace(absl::string_view from, absl::string_view to) {
  BeforeChange();
  return inner_.Replace(from, to);
}

absl::Status HookedDirectory::Remove(absl::string_view name) {
  BeforeChange();
  return inner_.Remove(name);
}

absl::Status HookedDirectory::Sync() {
  BeforeChange();
  return inner_.Sync();
}

absl::StatusOr<std::unique_ptr<DirectoryLock>> HookedDirectory::Lock() { return inner_.Lock(); }

absl::StatusOr<std::unique_ptr<DirectoryLock>> HookedDirectory::LockForMaintenance() {
  return inner_.LockForMaintenance();
}

}  // namespace journal
