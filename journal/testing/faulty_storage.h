// Wraps a directory and makes one of its calls fail: the n-th, for every n that a test requests. Or
// lets the disk be full, or a device fail silently.

#ifndef JOURNAL_TESTING_FAULTY_STORAGE_H_
#define JOURNAL_TESTING_FAULTY_STORAGE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/prng.h"
#include "journal/storage/storage.h"

namespace journal {

// What a device may do to one write or read and still report success.
enum class Lie {
  kNone,
  kWriteIsLost,
  kWriteGoesElsewhere,      // To another page of the same file.
  kWriteGoesToAnotherFile,  // To the same place of it.
  kBitFlipsInWrite,
  kBitFlipsInRead,
};

struct FaultPlan {
  // Which call fails, counted from 0 over the directory and all its files; empty: none.
  std::optional<uint64_t> failing_call = std::nullopt;
  // From then on every call fails (a device that is gone), not just this one.
  bool stays_broken = false;
  absl::StatusCode code = absl::StatusCode::kUnavailable;
  // A failing Write() writes the first half.
  bool short_writes = false;
  // Called with the file's name before a failing Sync() returns, for example to lose its pages.
  std::function<void(absl::string_view)> on_failed_sync = nullptr;

  // The device falsifies the write, or read, with this number among all writes, or reads.
  Lie lie = Lie::kNone;
  uint64_t lying_call = 0;
  uint64_t lie_seed = 0;  // Which bit, which other place.
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
  absl::Status Replace(absl::string_view from, absl::string_view to) override;
  absl::Status Remove(absl::string_view name) override;
  absl::Status Sync() override;
  absl::StatusOr<std::unique_ptr<DirectoryLock>> Lock() override;
  absl::StatusOr<std::unique_ptr<DirectoryLock>> LockForMaintenance() override;

  // From now on files grow by at most so many bytes in all; before, without a limit.
  void SetFreeBytes(uint64_t bytes) { free_bytes_ = bytes; }
  // Takes the bytes by which a file grows. RESOURCE_EXHAUSTED if there are fewer. For the files.
  absl::Status TakeSpace(uint64_t bytes) const;
  void GiveSpace(uint64_t bytes) const;

  // Whether this write, or read, is the one that the device falsifies; counts it. For the files.
  bool LiesAboutWrite() const;
  bool LiesAboutRead() const;
  uint64_t LieBelow(uint64_t bound) const { return lies_.Below(bound); }
  // Where a misdirected write to `name` goes, if there is another file.
  absl::StatusOr<std::unique_ptr<File>> OpenAnother(absl::string_view name) const;

  uint64_t calls() const { return calls_; }
  bool has_lied() const { return has_lied_; }
  bool has_failed() const { return failed_; }
  const FaultPlan& plan() const { return plan_; }

  // Counts a call; returns the error if it is to fail. For the files.
  absl::Status Count(absl::string_view what) const;

 private:
  absl::StatusOr<std::unique_ptr<File>> Wrap(absl::StatusOr<std::unique_ptr<File>> file,
                                             absl::string_view name) const;

  Directory& inner_;
  const FaultPlan plan_;
  mutable uint64_t calls_ = 0;
  mutable bool failed_ = false;
  mutable engine::Prng lies_{plan_.lie_seed};
  mutable uint64_t writes_ = 0;
  mutable uint64_t reads_ = 0;
  mutable bool has_lied_ = false;
  mutable std::optional<uint64_t> free_bytes_;
};

}  // namespace journal

#endif  // JOURNAL_TESTING_FAULTY_STORAGE_H_
