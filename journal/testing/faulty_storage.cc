#include "journal/testing/faulty_storage.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "journal/storage/storage.h"

namespace journal {
namespace {

class FaultyFile final : public File {
 public:
  FaultyFile(std::unique_ptr<File> inner, std::string name, const FaultyDirectory& directory)
      : inner_(std::move(inner)), name_(std::move(name)), directory_(directory) {}

  absl::StatusOr<size_t> Read(uint64_t offset, engine::MutableBytes into) const override {
    RETURN_IF_ERROR(directory_.Count("read"));
    return inner_->Read(offset, into);
  }

  absl::Status Write(uint64_t offset, engine::Bytes bytes) override {
    const absl::Status status = directory_.Count("write");
    if (status.ok()) return inner_->Write(offset, bytes);
    if (directory_.plan().short_writes) {
      inner_->Write(offset, bytes.first(bytes.size() / 2)).IgnoreError();
    }
    return status;
  }

  absl::Status Sync() override {
    const absl::Status status = directory_.Count("sync");
    if (status.ok()) return inner_->Sync();
    if (directory_.plan().on_failed_sync) directory_.plan().on_failed_sync(name_);
    return status;
  }

  absl::Status Truncate(uint64_t bytes) override {
    RETURN_IF_ERROR(directory_.Count("truncate"));
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
  return absl::UnavailableError(absl::StrCat(what, ": injected fault at call ", call));
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

}  // namespace journal
