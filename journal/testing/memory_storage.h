// A directory in memory that forgets what was not synced, when told to crash: a page cache over a
// disk. Reads return what the cache has; a sync that fails may leave there what no disk has.
//
// Files are torn as tear_model.h says; unsynced names come and go one by one, but for one that a
// rename has replaced: it is there, as the old file or the new one. Lost bytes beyond the
// synced length read as zeros.

#ifndef JOURNAL_TESTING_MEMORY_STORAGE_H_
#define JOURNAL_TESTING_MEMORY_STORAGE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/prng.h"
#include "journal/storage/storage.h"

namespace journal {

// A sector that a crash may lose.
struct UnsyncedPiece {
  std::string file;
  size_t offset = 0;
};

// One outcome of a crash, for those who want all of them.
struct CrashChoice {
  uint64_t sectors = 0;  // Which of Unsynced() were written, from the lowest bit on.
  bool lengths = false;  // Files are as long as was written, not as was synced.
  bool names = false;    // Names are as they were, not as they were synced.
};

// Outlives every file and lock it gave. Files of before a crash fail with UNAVAILABLE.
class MemoryDirectory final : public Directory {
 public:
  MemoryDirectory();
  ~MemoryDirectory() override;

  absl::string_view path() const override { return "memory"; }
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

  // The machine stops: what was not synced is kept, dropped or torn as `prng` decides.
  void Crash(engine::Prng& prng);
  // The same, and nothing unsynced survives.
  void CrashDroppingAll();
  // What the machine may lose now, and what is there after it lost so much; nothing is changed.
  std::vector<UnsyncedPiece> Unsynced() const;
  std::map<std::string, std::vector<std::byte>> AfterCrash(const CrashChoice& choice) const;
  // The process stops: locks are released, files closed, all written bytes stay.
  void Kill();
  // What a failed fsync leaves: of the file's unsynced pages some have reached the disk. All count
  // as clean from now on: reads still return them, later syncs succeed and do not write them.
  void FailSync(absl::string_view name, engine::Prng& prng);
  // No clean page is ever given up: File::DropCache() fails.
  void SetKeepsCache(bool keeps_cache);

  // The bytes of a file, to look at and to damage; what is set counts as synced.
  std::vector<std::byte> Contents(absl::string_view name) const;
  void SetContents(absl::string_view name, std::vector<std::byte> bytes);
  // All files, and a directory made of them.
  std::map<std::string, std::vector<std::byte>> Snapshot() const;
  // All files as they read once the clean pages are given up, if they ever are.
  std::map<std::string, std::vector<std::byte>> SnapshotBehindCache() const;
  static std::unique_ptr<MemoryDirectory> FromSnapshot(
      const std::map<std::string, std::vector<std::byte>>& files);

  // How many files and names were changed through this interface while neither lock was held.
  uint64_t changes_without_lock() const;

  // How often a write touched a sector that had been synced before with other content than zeros,
  // at `from` or behind.
  uint64_t synced_sectors_rewritten(absl::string_view name, uint64_t from = 0) const;

  struct Node;    // A file's content. Internal.
  struct Shared;  // What files and locks need of the directory. Internal.

 private:
  std::shared_ptr<Node> Find(absl::string_view name) const;

  std::shared_ptr<Shared> shared_;
  std::map<std::string, std::shared_ptr<Node>, std::less<>> live_;
  std::map<std::string, std::shared_ptr<Node>, std::less<>> durable_;
  std::set<std::string> replaced_;  // By a rename since the last sync: the old file or the new one.
};

}  // namespace journal

#endif  // JOURNAL_TESTING_MEMORY_STORAGE_H_
