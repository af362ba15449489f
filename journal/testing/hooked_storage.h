// Wraps a directory and calls a hook before each read, for example a writer that works while
// a reader reads; or before each change, for example a reader that reads while a writer works.

#ifndef JOURNAL_TESTING_HOOKED_STORAGE_H_
#define JOURNAL_TESTING_HOOKED_STORAGE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "journal/storage/storage.h"

namespace journal {

// `inner` outlives it. No hook is called while one runs.
class HookedDirectory final : public Directory {
 public:
  HookedDirectory(
      Directory& inner, std::function<void()> before_read,
      std::function<void()> before_change = [] {})
      : inner_(inner),
        before_read_(std::move(before_read)),
        before_change_(std::move(before_change)) {}

  absl::string_view path() const override { return inner_.path(); }
  absl::StatusOr<std::vector<std::string>> List() const override;
  absl::StatusOr<std::unique_ptr<File>> OpenForRead(absl::string_view name) const override;
  absl::StatusOr<std::unique_ptr<File>> OpenForWrite(absl::string_view name) override;
  absl::StatusOr<std::unique_ptr<File>> Create(absl::string_view name) override;
  absl::Status Rename(absl::string_view from, absl::string_view to) override;
  absl::Status Replace(absl::string_view from, absl::string_view to) override;
  absl::Status Remove(absl::string_view name) override;
  absl::Status Sync() override;
  absl::StatusOr<std::unique_ptr<DirectoryLock>> Lock() override;
  absl::StatusOr<std::unique_ptr<DirectoryLock>> LockForMaintenance() override;

  // Of all files so far.
  uint64_t bytes_read() const { return bytes_read_; }

  // For the files.
  void CountRead(size_t bytes) const { bytes_read_ += bytes; }
  void BeforeRead() const { Call(before_read_); }
  void BeforeChange() const { Call(before_change_); }

 private:
  void Call(const std::function<void()>& hook) const;
  std::unique_ptr<File> Wrap(std::unique_ptr<File> file) const;

  Directory& inner_;
  const std::function<void()> before_read_;
  const std::function<void()> before_change_;
  mutable bool is_in_hook_ = false;
  mutable uint64_t bytes_read_ = 0;
};

}  // namespace journal

#endif  // JOURNAL_TESTING_HOOKED_STORAGE_H_
