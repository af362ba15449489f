// Wraps a directory and makes one of its calls fail: the n-th, for every n a test asks for.

#ifndef JOURNAL_TESTING_FAULTY_STORAGE_H_
#define JOURNAL_TESTING_FAULTY_STORAGE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "journal/storage/storage.h"

namespace journal {

struct FaultPlan {
  // Which call fails, counted from 0 over the directory and all its files; nothing fails without.
  std::optional<uint64_t> failing_call;
  // From then on every call fails (a device that is gone), not just this one.
  bool stays_broken = false;
  // A failing Write() has written the first half.
  bool short_writes = false;
  // Called with the file's name before a failing Sync() returns, e.g. to drop its unsynced bytes.
  std::function<void(absl::string_view)> on_failed_sync = nullptr;
};

// `inner` outlives it. Files outlive neither.
class FaultyDirectory final : public Directory {
 public:
  FaultyDirectory(Directory& inner, FaultPlan plan) : inner_(inner), plan_(std::move(plan)) {}

  absl::string_view path() const override { return inner_.path(); }
  absl::StatusOr<std::vector<std::string>> List() const override;
  absl::StatusOr<std::unique_ptr<File>> OpenForRead(absl::string_view name) const override;
  absl::StatusOr<std::unique_ptr<File>> OpenForWrite(absl::string_view name) override;
  absl::StatusOr<std::unique_ptr<File>> Create(absl::string_view name) override;
  absl::Status Rename(absl::string_view from, absl::string_view to) override;
  absl::Status Remove(absl::string_view name) override;
  absl::Status Sync() override;
  absl::StatusOr<std::unique_ptr<DirectoryLock>> Lock() override;

  uint64_t calls() const { return calls_; }
  bool has_failed() const { return failed_; }
  const FaultPlan& plan() const { return plan_; }

  // Counts a call; the error it is to fail with, if it is to fail. For the files.
  absl::Status Count(absl::string_view what) const;

 private:
  absl::StatusOr<std::unique_ptr<File>> Wrap(absl::StatusOr<std::unique_ptr<File>> file,
                                             absl::string_view name) const;

  Directory& inner_;
  const FaultPlan plan_;
  mutable uint64_t calls_ = 0;
  mutable bool failed_ = false;
};

}  // namespace journal

#endif  // JOURNAL_TESTING_FAULTY_STORAGE_H_
