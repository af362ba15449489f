// A directory in memory that loses what was not synced in a simulated crash: a page cache over a
// disk. Reads return the cache; a failed sync may leave pages there that are on no disk.
//
// Files are torn as tear_model.h says; unsynced names survive or not one by one, except one that a
// rename has replaced: it is there, as the old file or the new one. Lost bytes beyond the
// synced length read as zeros.

#ifndef JOURNAL_TESTING_MEMORY_STORAGE_H_
#define JOURNAL_TESTING_MEMORY_STORAGE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
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

// One outcome of a crash, for tests that try all of them.
struct CrashChoice {
  uint64_t sectors = 0;  // Which of Unsynced() were written, from the lowest bit on.
  bool lengths = false;  // Files have the written length, not the synced one.
  bool names = false;    // Names are the current ones, not the synced ones.
};

// Outlives its files and locks. Files of before a crash fail with UNAVAILABLE.
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

  // The machine stops: unsynced writes are kept, dropped or torn as `prng` decides.
  void Crash(engine::Prng& prng);
  // The same, and nothing unsynced survives.
  void CrashDroppingAll();
  // What the machine may lose now, and the files after it lost that; changes nothing.
  std::vector<UnsyncedPiece> Unsynced() const;
  std::map<std::string, std::vector<std::byte>> AfterCrash(const CrashChoice& choice) const;
  // The process stops: locks are released, files closed, all written bytes stay.
  void Kill();
  // A failed fsync: some of the file's unsynced pages have reached the disk. All count
  // as clean from now on: reads still return them, later syncs succeed and do not write them.
  void FailSync(absl::string_view name, engine::Prng& prng);
  // No clean page is ever dropped: File::DropCache() fails.
  void SetKeepsCache(bool keeps_cache);

  // The bytes of a file, to read and to damage; bytes that are set count as synced.
  std::vector<std::byte> Contents(absl::string_view name) const;
  void SetContents(absl::string_view name, std::vector<std::byte> bytes);
  // All files, and a directory made of them.
  std::map<std::string, std::vector<std::byte>> Snapshot() const;
  // All files as they read once the clean pages are dropped.
  std::map<std::string, std::vector<std::byte>> SnapshotOfDisk() const;
  static std::unique_ptr<MemoryDirectory> FromSnapshot(
      const std::map<std::string, std::vector<std::byte>>& files);

  // How many changes of files and names were made while neither lock was held.
  uint64_t changes_without_lock() const;

  // How often a write changed a sector that had been synced with other content than zeros,
  // at `from` or after.
  uint64_t synced_sectors_rewritten(absl::string_view name, uint64_t from = 0) const;

  struct Node;    // A file's content. Internal.
  struct Shared;  // For files and locks. Internal.

 private:
  std::shared_ptr<Node> Find(absl::string_view name) const;

  std::shared_ptr<Shared> shared_;
  std::map<std::string, std::shared_ptr<Node>, std::less<>> live_;
  std::map<std::string, std::shared_ptr<Node>, std::less<>> durable_;
  std::set<std::string> replaced_;  // By a rename since the last sync: the old file or the new one.
};

}  // namespace journal

#endif  // JOURNAL_TESTING_MEMORY_STORAGE_H_
